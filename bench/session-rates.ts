/**
 * How often people push back on an agent, and how much of what it wrote is committed, over the shared sessions of people:
 * `node bench/session-rates.ts`. Beside them what two readers counted in the same sessions, and the figures of a published study of
 * 6,000 sessions (SWE-chat, arXiv 2604.20779).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { AgentRunFacts } from '../src/session/evidence.ts';
import { readAll } from '../src/session/ingest/read-all.ts';
import { judgeWork } from '../src/session/outcomes/judge-work.ts';
import { DATA, judgeCorrections } from './corrections/measure.ts';

const PUBLISHED = '0.44';
const folder = `${DATA}/claude-code`;
if (!existsSync(folder)) {
  console.log('the shared sessions are not there: nothing was measured');
  process.exit(2);
}

const line = (title: string, part: number, of: number, more = ''): void =>
  console.log(`${title.padEnd(56)}${`${part} of ${of}`.padEnd(16)}${(part / of).toFixed(2)}  ${more}`);
const sum = <T>(all: readonly T[], count: (one: T) => number): number =>
  all.reduce((total, one) => total + count(one), 0);

const inFolder = (path: string) => readdirSync(path).map((name) => join(path, name));
const files = [...inFolder(`${folder}/sessions`), ...inFolder(`${DATA}/pi`)].filter((path) =>
  /\.jsonl?$/.test(path),
);
const { sessions } = await readAll(files);
const runs = sessions.flatMap(({ facts }) => facts.runs);

/** A stop that was followed by "go on", or by nothing, is pushback but no correction. */
const stops = ({ interrupts, correctedBy }: AgentRunFacts) =>
  Math.max(0, interrupts - (correctedBy?.interrupted ?? 0));
/** Rejecting a call with a reason, and stopping it, are turns without a message of their own. */
const turns = ({ turns, correctedBy }: AgentRunFacts) => turns + (correctedBy?.denied ?? 0);
const names = new Set(judgeCorrections('unread').map(({ cluster }) => basename(cluster.trim())));
const unread = sessions.filter(({ path }) => names.has(basename(path))).flatMap(({ facts }) => facts.runs);
const read = judgeCorrections('unread').filter(({ source }) => !source.startsWith('tau'));
const first = judgeCorrections('labels').filter(({ source }) => !source.startsWith('tau'));

console.log(`Pushback in turns of people (published: ${PUBLISHED})`);
const pushback = (some: readonly AgentRunFacts[]) => sum(some, (run) => run.corrections + stops(run));
line('  Assay, 44 sessions', pushback(runs), sum(runs, turns));
line(
  '    corrections alone',
  sum(runs, (run) => run.corrections),
  sum(runs, turns),
);
line(
  '  first reader, 44 sessions, corrections',
  sum(first, ({ known }) => known.length),
  sum(runs, turns),
);
line(
  '  Assay, 22 sessions, corrections',
  sum(unread, (run) => run.corrections),
  sum(unread, turns),
);
line(
  '  second reader, the same 22',
  sum(read, ({ known }) => known.length),
  sum(unread, turns),
);
const short = runs.filter((run) => turns(run) <= 5);
line(`  Assay, the ${short.length} sessions of at most 5 turns`, pushback(short), sum(short, turns));
const long = runs.filter((run) => turns(run) > 30);
line(`  Assay, the ${long.length} of more than 30`, pushback(long), sum(long, turns));

const scratch = mkdtempSync(join(tmpdir(), 'assay-rates-'));
try {
  const clone = join(scratch, 'clone');
  const git = (...args: string[]) => execFileSync('git', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  git('clone', '-q', '--no-checkout', `${folder}/repository.bundle`, clone);
  git('-C', clone, 'fetch', '-q', 'origin', '+refs/heads/*:refs/remotes/origin/*');
  const known = sessions
    .filter(({ path }) => path.startsWith(folder))
    .map(({ facts }) => ({ key: facts.sessionId, facts }));
  const rows = await judgeWork(known, {
    places: [{ to: clone }],
    environment: process.env,
    attributions: false,
  });
  const wrote = [...rows.values()].filter(({ linesWritten = 0 }) => linesWritten > 0);
  console.log(`\nLines that the agent wrote and that were committed (published: ${PUBLISHED})`);
  const committed = (some: typeof wrote) => sum(some, ({ linesCommitted = 0 }) => linesCommitted);
  const written = (some: typeof wrote) => sum(some, ({ linesWritten = 0 }) => linesWritten);
  line(`  Assay, ${wrote.length} sessions that wrote lines`, committed(wrote), written(wrote));
  const found = wrote.filter(({ state }) => state !== 'unknown');
  line(`    where the repository could tell, ${found.length}`, committed(found), written(found));
  const none = found.filter(({ linesCommitted = 0 }) => linesCommitted === 0);
  line('    sessions of which nothing was committed', none.length, found.length);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
