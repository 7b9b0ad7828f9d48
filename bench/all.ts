/**
 * Runs the benchmarks and writes what they print into `bench/README.md`: `npm run bench`, or `npm run bench -- startup
 * store` for some of them. What is not run keeps what it printed before.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

type Bench = {
  readonly file: string;
  readonly args?: readonly string[];
  readonly figure: string;
  /** What it is held against in the same run: a floor, or a peer and where its version is told. */
  readonly against: string;
};

const BENCHES: Readonly<Record<string, Bench>> = {
  startup: { file: 'startup.ts', figure: 'start of the command line', against: 'bare node' },
  sessions: {
    file: 'sessions.ts',
    figure: 'reading and scoring transcripts: first, again, after an append',
    against: '`JSON.parse` of every line, and ccusage 20.0.24',
  },
  store: { file: 'store.ts', figure: 'storing and reading sessions', against: 'bare node:sqlite' },
  'store-overview': {
    file: 'store-overview.ts',
    figure: 'overviews of a million stored sessions',
    against: 'bare node:sqlite adding up every row',
  },
  'store-answers': {
    file: 'store-answers.ts',
    figure: 'commands with `--from-store` on a million sessions, bytes per session',
    against: 'bare node',
  },
  decomposition: {
    file: 'decomposition.ts',
    figure: 'recorded outputs against golden cases, and memory',
    against: 'promptfoo 0.123.1',
  },
  'workflow-matching': {
    file: 'workflow-matching.ts',
    figure: 'matching 5,000 findings to 2,000 errors',
    against: 'a plain loop over as many pairs',
  },
  assignment: {
    file: 'assignment.ts',
    figure: 'the optimal assignment',
    against: 'one sort of the same matrix',
  },
};

const README = join(import.meta.dirname, 'README.md');
const HEAD = `# Benchmarks

Each prints its figures with what they are held against in the same run, because machines differ and are busy. \`npm run bench\` runs them
all and writes this page; \`npm run bench -- NAME…\` runs some, the others keep what they printed last.

`;

function sectionsBefore(): ReadonlyMap<string, string> {
  if (!existsSync(README)) return new Map();
  const parts = readFileSync(README, 'utf8').split(/^## /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.trimEnd()]));
}

function commandOf(name: string, { file, args = [] }: Bench): string {
  return [`node bench/${file}`, ...args].join(' ') || name;
}

function run(name: string, bench: Bench): string {
  const { file, args = [] } = bench;
  const { stdout, status } = spawnSync(process.execPath, [join(import.meta.dirname, file), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const machine = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores`;
  const ended = status === 0 ? '' : `\n(ended with ${status})`;
  return `${name}\n\n\`${commandOf(name, bench)}\` (${machine})\n\n\`\`\`text\n${stdout.trimEnd()}${ended}\n\`\`\``;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0)
  throw new Error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);
const before = sectionsBefore();
const sections = Object.entries(BENCHES).map(([name, bench]) => {
  const isAsked = asked.length === 0 || asked.includes(name);
  const section = isAsked ? run(name, bench) : before.get(name);
  return section ?? `${name}\n\nNot measured yet: \`npm run bench -- ${name}\``;
});
const rows = Object.entries(BENCHES).map(
  ([name, bench]) =>
    `| [${name}](#${name}) | ${bench.figure} | ${bench.against} | \`${commandOf(name, bench)}\` |`,
);
const table = ['| name | figure | held against | command |', '|---|---|---|---|', ...rows].join('\n');
writeFileSync(README, `${HEAD}${table}\n\n${sections.map((section) => `## ${section}`).join('\n\n')}\n`);
