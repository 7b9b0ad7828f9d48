/**
 * How fast sessions are read and scored, against ccusage's native binary and against plain JSON.parse, on the same
 * files in one run: `node bench/sessions.ts [MEGABYTES]`. With `--large` althe memory that very
 * large inputs take, which needs a quarter of an hour and 5 GB of disk. Rounds are interleaved, because these machines are noisy,
 * and medians compared, of the time and of the time of processors, which a busy machine changes less. The package is measured as
 * people install it. Everything is built in a temporary folder and removed.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../src/stats/descriptive.ts';
import { buildPackage } from './built-package.ts';
import { CCUSAGE, installCcusage } from './ccusage.ts';
import {
  buildCorpus,
  buildFile,
  buildInterleaved,
  buildManySessions,
  buildResults,
  buildTinyFiles,
  SHARED,
} from './sessions-corpus.ts';
import { type Ended, type Timed, timeProcess } from './timed-process.ts';

const ROUNDS = 5;
const CHILD = join(import.meta.dirname, 'sessions-child.ts');
const { values, positionals } = parseArgs({
  options: { large: { type: 'boolean' } },
  allowPositionals: true,
});
const megabytes = Number(positionals[0] ?? 500);
const isLarge = values.large === true;

/** A process that must succeed, with additional environment variables. */
async function time(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const ended = await timeProcess(program, args, { cwd: process.cwd(), env: { ...process.env, ...env } });
  if (ended.status !== 0) throw new Error(`${program} ended with ${ended.status}: ${ended.stderr}`);
  return ended;
}

const show = (name: string, ms: number, mb: number, more: string) =>
  console.log(`${name.padEnd(34)} ${ms.toFixed(0).padStart(6)} ms ${mb.toFixed(0).padStart(5)} MB  ${more}`);
const showRuns = (name: string, runs: readonly Timed[], more: string) => {
  show(name, middle(runs), peak(runs), `${cpuOfRuns(runs).toFixed(0).padStart(6)} ms CPU  ${more}`);
};
const versus = (ratio: number, target: number) =>
  `${ratio.toFixed(2)} ×  ${ratio <= target ? 'within' : 'over'} ${target} ×`;
const cpuOfRuns = (runs: readonly Timed[]) => median(runs.map(({ cpuMs }) => cpuMs)) ?? Number.NaN;
const middle = (runs: readonly Timed[]) => median(runs.map(({ ms }) => ms)) ?? Number.NaN;
const peak = (runs: readonly Timed[]) => Math.max(...runs.map(({ peakMb }) => peakMb));

let launcher = '';

/** The command with a home of its own, which contains its caches. */
function score(home: string, path: string, options: readonly string[], format = 'jsonl'): Promise<Ended> {
  const words = ['sessions', 'score', path, '--format', format, ...options];
  const env = {
    HOME: home,
    XDG_CACHE_HOME: join(home, '.cache'),
    ASSAY_STORE: join(home, 'store.db'),
    // Compiled code is cached from the first round on, as after a user's first command.
    NODE_COMPILE_CACHE: join(dirname(launcher), 'compiled'),
  };
  return time(process.execPath, [launcher, ...words], env);
}

type Runs = Record<'parse' | 'read' | 'shared' | 'again' | 'storing' | 'kept' | 'ccusage', Ended[]>;

async function compare(folder: string, corpus: string, sharing: string): Promise<void> {
  const ccusage = installCcusage();
  if (ccusage === undefined) console.log('ccusage could not be installed: it is missing below.');
  const runs: Runs = { parse: [], read: [], shared: [], again: [], storing: [], kept: [], ccusage: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const home = join(folder, `home-${round}`);
    const now = {
      parse: await time(process.execPath, [CHILD, corpus]),
      read: await score(home, corpus, ['--no-store']),
      shared: await score(home, sharing, ['--no-store']),
      again: await score(home, corpus, ['--no-store']),
      storing: await score(home, corpus, []),
      kept: await score(home, corpus, []),
      ...(ccusage && {
        ccusage: await time(ccusage, ['session', '--offline', '--json'], { CLAUDE_CONFIG_DIR: corpus }),
      }),
    };
    // The first round fills the caches.
    if (round > 0) for (const [name, one] of Object.entries(now)) runs[name as keyof Runs].push(one);
  }
  sayTimes(runs);
  sayCost(runs.read, middle(runs.read));
}

function sayTimes({ parse, read, shared, again, storing, kept, ccusage }: Runs): void {
  const [floor, ours] = [middle(parse), middle(read)];
  const [theirs] = ccusage.length === 0 ? [] : [middle(ccusage)];
  showRuns('JSON.parse, one thread', parse, 'the floor');
  if (theirs !== undefined)
    showRuns(`ccusage ${CCUSAGE}, native`, ccusage, `${(theirs / floor).toFixed(2)} × JSON.parse`);
  showRuns('assay sessions score --no-store', read, `${versus(ours / floor, 1.1)} JSON.parse`);
  if (theirs !== undefined) console.log(`${' '.repeat(68)}${versus(ours / theirs, 2)} ccusage`);
  showRuns('as much, every second one resumed', shared, `${versus(middle(shared) / ours, 1.2)} without`);
  const ofCpu = (one: readonly Timed[], other: readonly Timed[]) =>
    `${(cpuOfRuns(one) / cpuOfRuns(other)).toFixed(2)} ×`;
  console.log(
    `of processors: ${ofCpu(read, parse)} JSON.parse (two threads), with resumed ones ${ofCpu(shared, read)} without`,
  );
  const faster = (ms: number) => `${(ours / ms).toFixed(1)} × faster (target 10 ×)`;
  showRuns('the same again, unchanged', again, faster(middle(again)));
  showRuns('and with the scores stored', storing, faster(middle(storing)));
  showRuns('once they are all in the store', kept, faster(middle(kept)));
  if (theirs !== undefined) console.log(`${' '.repeat(68)}${versus(middle(kept) / theirs, 0.35)} ccusage`);
}

/** Section 1 of the specification: scoring must cost less than 5% of what the sessions cost. */
function sayCost(runs: readonly Ended[], ms: number): void {
  const rows = (runs[0]?.stdout ?? '').trimEnd().split('\n');
  const count = rows.length;
  const costUsd = rows.reduce((sum, row) => sum + (JSON.parse(row).cost_usd ?? 0), 0);
  // A cloud core costs some 0.05 USD an hour.
  const scoring = (2 * ms * 0.05) / 3_600_000;
  const share = `${((100 * scoring) / costUsd).toExponential(1)} % of what they cost`;
  console.log(
    `${count} sessions worth ${costUsd.toFixed(2)} USD, scored for ${scoring.toExponential(1)} USD: ${share}`,
  );
}

/** The most memory that the command takes for very large inputs. */
async function peaks(folder: string): Promise<void> {
  const path = join(folder, 'large');
  const measure = async (name: string, options = ['--no-store'], format = 'jsonl'): Promise<void> => {
    const home = join(folder, `home-${name}`);
    const { ms, peakMb } = await score(home, path, options, format);
    show(name, ms, peakMb, peakMb <= 250 ? 'within 250 MB' : 'over 250 MB');
    rmSync(home, { recursive: true, force: true });
  };
  buildManySessions(path, 100_000);
  await measure('100,000 sessions in one file');
  await measure('the same, with the scores stored', []);
  await measure('the same, as an overview', ['--no-store'], 'table');
  for (const count of [100_000, 700_000]) {
    buildInterleaved(path, count);
    await measure(`${count.toLocaleString('en')} taking turns in one file`);
  }
  rmSync(path);
  buildTinyFiles(path, 100_000);
  await measure('100,000 files with one each');
  rmSync(path, { recursive: true });
  buildFile(path, 2e9);
  await measure('one session of 2 GB');
  const { runs } = buildResults(path, 2e9);
  await measure(`2 GB of results, ${runs} runs`);
}

if (existsSync(SHARED)) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    launcher = buildPackage(join(folder, 'package'));
    const { bytes, files } = buildCorpus(join(folder, 'corpus'), megabytes * 1e6);
    console.log(
      `${files} transcripts, ${(bytes / 1e6).toFixed(0)} MB, median of ${ROUNDS} interleaved rounds\n`,
    );
    buildCorpus(join(folder, 'sharing'), megabytes * 1e6, { sharing: true });
    await compare(folder, join(folder, 'corpus'), join(folder, 'sharing'));
    console.log();
    if (isLarge) {
      console.log();
      await peaks(folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  console.log(`${SHARED} is not there: nothing to measure.`);
}
