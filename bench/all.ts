/**
 * Runs the benchmarks and writes their output into `bench/README.md`, after each of them, so that an interrupted run
 * loses nothing:
 *
 *  npm run bench all of them
 *  npm run bench -- quick those that take less than a minute
 *  npm run bench -- missing those without figures, or that failed
 *  npm run bench -- startup store some of them
 *  npm run bench -- --large store in the large size
 *  npm run bench -- none only the table, from the existing sections
 *
 *  Each owns a section, which says what was run but not when; the table is made of the sections. After a merge
 * conflict, keep the newer of each section and let `none` make the table again.
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
NAME…\` some, \`--large\` before names those that take long in their full size. The others keep what they printed last, in the
size that stands there. What needs data that is not there says so and measures nothing. Times of the clock were taken on a
machine that others used too: read the ratios.

`;

/** A benchmark that takes longer is stopped and says so. */
const LONGEST_MINUTES = isLarge() ? 180 : 10;
const NOT_MEASURED = 'Not measured yet';
const BADLY = '(ended with ';

function sectionsBefore(): Map<string, string> {
  if (!existsSync(README)) return new Map();
  const parts = readFileSync(README, 'utf8').split(/^## /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.trimEnd()]));
}

function isLarge(): boolean {
  return process.argv.includes('--large');
}

function argsOf({ args = [], large = args }: Bench): readonly string[] {
  return isLarge() ? large : args;
}

function commandOf(file: string, args: readonly string[] = []): string {
  return [`node bench/${file}`, ...args].join(' ');
}

function run(name: string, bench: Bench): string {
  const missing = (bench.needs ?? []).filter((path) => !existsSync(join(ROOT, path)));
  if (missing.length > 0)
    return `${name}\n\n${NOT_MEASURED}: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not there.`;
  const { file } = bench;
  const args = argsOf(bench);
  const { stdout, status, signal } = spawnSync(process.execPath, [join(import.meta.dirname, file), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: LONGEST_MINUTES * 60_000,
    maxBuffer: 1 << 26,
  });
  const machine = `Node ${process.versions.node}, ${cpus().length} cores`;
  const why = signal === null ? status : `${signal}, at most ${LONGEST_MINUTES} minutes`;
  const ended = status === 0 ? '' : `\n${BADLY}${why})`;
  return `${name}\n\n\`${commandOf(file, args)}\` (${machine})\n\n\`\`\`text\n${stdout.trimEnd()}${ended}\n\`\`\``;
}

function isMissing(section: string | undefined): boolean {
  return section === undefined || section.includes(NOT_MEASURED) || section.includes(BADLY);
}

const MOST_LINES = 8;

/** The lines that the documents rest on, as its section has them. */
function printedIn(section: string, { shows = /\S/ }: Bench): string {
  if (section.includes(NOT_MEASURED)) return 'not measured';
  const lines = section.slice(section.indexOf('```text')).split('\n').slice(1, -1);
  const shown = lines.filter((line) => shows.test(line)).slice(0, MOST_LINES);
  const cells = shown.map((line) => line.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|'));
  return [...cells, ...(section.includes(BADLY) ? ['incomplete'] : [])].join('<br>');
}

/** What was run, as its section says. */
function commandIn(section: string, { file, args }: Bench): string {
  return /^`(node bench\/[^`]+)`/m.exec(section)?.[1] ?? commandOf(file, args);
}

function write(sections: ReadonlyMap<string, string>): void {
  const texts = Object.keys(BENCHES).map(
    (name) =>
      [name, sections.get(name) ?? `${name}\n\n${NOT_MEASURED}: \`npm run bench -- ${name}\``] as const,
  );
  const rows = texts.map(([name, section]) => {
    const bench = BENCHES[name] as Bench;
    const stated = bench.stated.map((page) => `[${page.replace(/^docs\//, '')}](../${page})`).join(', ');
    const large = bench.large === undefined ? '' : `<br>large: \`${commandOf(bench.file, bench.large)}\``;
    return `| [${name}](#${name}) | ${bench.figure} | ${printedIn(section, bench)} | ${bench.against} | \`${commandIn(section, bench)}\`${large} | ${stated} |`;
  });
  const head = [
    '| name | what | figures | floor or peer | command | stated in |',
    '|---|---|---|---|---|---|',
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
const asked = process.argv.slice(2).filter((word) => word !== '--large');
for (const name of chosen(asked, sections)) {
  console.error(`${name} …`);
  sections.set(name, run(name, BENCHES[name] as Bench));
  write(sections);
}
