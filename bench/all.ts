/**
 * Runs the benchmarks and writes what they print into `bench/README.md`, after each of them, so that a run that is stopped
 * has kept what it did:
 *
 *     npm run bench                      all of them
 *     npm run bench -- quick             those that take less than a minute
 *     npm run bench -- missing           those without figures, or that ended badly
 *     npm run bench -- startup store     some of them
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { BENCHES, type Bench } from './benches.ts';

const ROOT = join(import.meta.dirname, '..');
const README = join(import.meta.dirname, 'README.md');
const HEAD = `# Benchmarks

Every figure that the documents state, with the command that prints it. Each is printed beside what it is held against in
the same run, because machines differ and are busy. \`npm run bench\` runs them all and writes this page; \`npm run bench --
quick\` those that take less than a minute, \`npm run bench -- missing\` those that have no figures yet, \`npm run bench --
NAME…\` some. The others keep what they printed last. What needs data that is not there says so and measures nothing.

`;

/** A benchmark that takes longer is stopped and says so. */
const LONGEST_MINUTES = 10;
const NOT_MEASURED = 'Not measured yet';
const BADLY = '(ended with ';

function sectionsBefore(): Map<string, string> {
  if (!existsSync(README)) return new Map();
  const parts = readFileSync(README, 'utf8').split(/^## /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.trimEnd()]));
}

function commandOf({ file, args = [] }: Bench): string {
  return [`node bench/${file}`, ...args].join(' ');
}

function run(name: string, bench: Bench): string {
  const missing = (bench.needs ?? []).filter((path) => !existsSync(join(ROOT, path)));
  if (missing.length > 0)
    return `${name}\n\n${NOT_MEASURED}: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not there.`;
  const { file, args = [] } = bench;
  const started = performance.now();
  const { stdout, status, signal } = spawnSync(process.execPath, [join(import.meta.dirname, file), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: LONGEST_MINUTES * 60_000,
    maxBuffer: 1 << 26,
  });
  const took = `${Math.round((performance.now() - started) / 1000)} s`;
  const machine = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${took}`;
  const why = signal === null ? status : `${signal}, at most ${LONGEST_MINUTES} minutes`;
  const ended = status === 0 ? '' : `\n${BADLY}${why})`;
  return `${name}\n\n\`${commandOf(bench)}\` (${machine})\n\n\`\`\`text\n${stdout.trimEnd()}${ended}\n\`\`\``;
}

function isMissing(section: string | undefined): boolean {
  return section === undefined || section.includes(NOT_MEASURED) || section.includes(BADLY);
}

/** The day it was measured, as its section says. */
function measuredOn(section: string): string {
  if (section.includes(NOT_MEASURED)) return 'not yet';
  return `${/\((\d{4}-\d{2}-\d{2}),/.exec(section)?.[1] ?? ''}${section.includes(BADLY) ? ', incomplete' : ''}`;
}

function write(sections: ReadonlyMap<string, string>): void {
  const texts = Object.keys(BENCHES).map(
    (name) =>
      [name, sections.get(name) ?? `${name}\n\n${NOT_MEASURED}: \`npm run bench -- ${name}\``] as const,
  );
  const rows = texts.map(([name, section]) => {
    const bench = BENCHES[name] as Bench;
    const stated = bench.stated.map((page) => `[${page.replace(/^docs\//, '')}](../${page})`).join(', ');
    const quick = bench.slow ? '' : 'quick';
    return `| [${name}](#${name}) | ${bench.figure} | ${bench.against} | ${stated} | \`${commandOf(bench)}\` | ${quick} | ${measuredOn(section)} |`;
  });
  const head = [
    '| name | figure | floor or peer | stated in | command | | measured |',
    '|---|---|---|---|---|---|---|',
  ];
  const table = [...head, ...rows].join('\n');
  writeFileSync(README, `${HEAD}${table}\n\n${texts.map(([, text]) => `## ${text}`).join('\n\n')}\n`);
}

function chosen(asked: readonly string[], sections: ReadonlyMap<string, string>): string[] {
  const names = Object.keys(BENCHES);
  if (asked.length === 0) return names;
  if (asked[0] === 'quick') return names.filter((name) => BENCHES[name]?.slow !== true);
  if (asked[0] === 'missing') return names.filter((name) => isMissing(sections.get(name)));
  if (asked[0] === 'none') return [];
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`no benchmark ${unknown.join(', ')}; there are quick, missing, ${names.join(', ')}`);
  return names.filter((name) => asked.includes(name));
}

const sections = sectionsBefore();
write(sections);
for (const name of chosen(process.argv.slice(2), sections)) {
  console.error(`${name} …`);
  sections.set(name, run(name, BENCHES[name] as Bench));
  write(sections);
}
