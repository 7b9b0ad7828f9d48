/** Runs the check of a project on the commits of its sessions and on their parents, once per tree. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { verdictOf } from '../fold/checks.ts';
import { type GitOptions, GitProblem, TOO_LONG } from '../outcomes/git.ts';
import { openRepository } from '../outcomes/repository.ts';
import { shortHash } from '../session-key.ts';
import { checkOut, type Sides, sidesOf } from './checkout.ts';
import { type CommandOptions, type CommandSeen, canIsolate, runCommand } from './run-command.ts';
import {
  type CheckCounts,
  type CheckSeen,
  NOTHING_RAN,
  resultOf,
  type Verification,
} from './verification.ts';
import { makeWorkFolder, removeFolder } from './work-folder.ts';

export type CheckedWork = {
  readonly key: string;
  readonly repository: string;
  /** Oldest first. */
  readonly commits: readonly string[];
};

export type CheckOptions = {
  readonly command: string;
  readonly setup?: string | undefined;
  /** Per command. */
  readonly timeMs: number;
  /** Of the check, per tree. */
  readonly runs: number;
  readonly parallel: number;
  readonly environment: GitOptions['environment'];
  /** Names of additional variables that the commands receive. */
  readonly allowed: readonly string[];
  readonly signal: AbortSignal;
  /** Earlier results. */
  readonly cache: ReadonlyMap<string, CheckCounts>;
  readonly onChecked: (done: number, of: number) => void;
};

export type CheckedCommits = {
  readonly verifications: ReadonlyMap<string, Verification>;
  /** New results. */
  readonly seen: ReadonlyMap<string, CheckCounts>;
  /** Trees in total, and those on which the command was run. */
  readonly checkouts: number;
  readonly run: number;
  /** False: nothing prevented the commands from writing elsewhere. Absent: none was run. */
  readonly isolated?: boolean;
};

type Job = { readonly name: string; readonly repository: string; readonly commit: string };
type Planned = { readonly work: CheckedWork; readonly sides: Sides | { readonly reason: string } };

const GIT_MS = 120_000;

export async function checkCommits(
  works: readonly CheckedWork[],
  options: CheckOptions,
  now: () => Date,
): Promise<CheckedCommits> {
  const { command, runs, cache, signal } = options;
  const planned: Planned[] = [];
  for (const work of works) planned.push({ work, sides: await planOf(work, options) });
  const jobs = new Map<string, Job>();
  for (const { work, sides } of planned) {
    if ('reason' in sides) continue;
    const { repository } = work;
    for (const [tree, commit] of [
      [sides.parentTree, sides.parent],
      [sides.tree, sides.commit],
    ] as const)
      jobs.set(cacheName(tree, options), { name: cacheName(tree, options), repository, commit });
  }
  const all = new Map<string, CheckSeen>(cache);
  const missing = [...jobs.values()].filter(({ name }) => timesRun(cache.get(name)) < runs);
  const { seen, isolated } = await runJobs(missing, options);
  for (const [name, one] of seen) all.set(name, one);
  signal.throwIfAborted();
  const at = now().toISOString();
  const verifications = planned.map(({ work, sides }): [string, Verification] => {
    const last = work.commits.at(-1) ?? '';
    if ('reason' in sides)
      return [work.key, { result: 'could not check', reason: sides.reason, command, commit: last, at }];
    const before = all.get(cacheName(sides.parentTree, options));
    const after = all.get(cacheName(sides.tree, options));
    const { commit, parent, others } = sides;
    const said = before && after ? resultOf(before, after) : resultOf(NOT_RUN, NOT_RUN);
    const between =
      others > 0 ? `${others} ${others === 1 ? 'commit' : 'commits'} of others between` : undefined;
    const reason = said.reason ?? between;
    return [work.key, { result: said.result, ...(reason && { reason }), command, commit, parent, at }];
  });
  const counted = [...seen].flatMap(([name, one]) => ('impossible' in one ? [] : [[name, one] as const]));
  return {
    verifications: new Map(verifications),
    seen: new Map(counted),
    checkouts: jobs.size,
    run: missing.length,
    ...(isolated !== undefined && { isolated }),
  };
}

const NOT_RUN: CheckSeen = { impossible: 'the check was not run', kind: 'stopped' };

function timesRun(counts: CheckCounts | undefined): number {
  return counts === undefined ? 0 : counts.passed + counts.failed;
}

function cacheName(tree: string, { command, setup = '', allowed }: CheckOptions): string {
  return `${tree} ${shortHash([command, setup, allowed.toSorted()])}`;
}

async function planOf(
  { repository, commits }: CheckedWork,
  options: CheckOptions,
): Promise<Planned['sides']> {
  try {
    return await sidesOf(gitIn(repository, options), commits);
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    return { reason: error.message };
  }
}

function gitIn(folder: string, { environment, signal }: CheckOptions): GitOptions {
  return { folder, environment, signal, deadline: performance.now() + GIT_MS };
}

async function runJobs(
  jobs: readonly Job[],
  options: CheckOptions,
): Promise<{ readonly seen: ReadonlyMap<string, CheckSeen>; readonly isolated?: boolean }> {
  const seen = new Map<string, CheckSeen>();
  if (jobs.length === 0) return { seen };
  const root = makeWorkFolder();
  try {
    const isolated = await canIsolate(root, options);
    const queue = jobs.entries();
    const work = async () => {
      for (const [place, job] of queue) {
        if (options.signal.aborted) break;
        const folder = join(root, String(place));
        try {
          seen.set(job.name, await checkTree(job, { ...options, folder, isolated }, options));
        } finally {
          removeFolder(folder);
        }
        options.onChecked(seen.size, jobs.length);
      }
    };
    await Promise.all(Array.from({ length: options.parallel }, work));
    return { seen, isolated };
  } finally {
    removeFolder(root);
  }
}

async function checkTree(
  { name, repository, commit }: Job,
  running: CommandOptions,
  options: CheckOptions,
): Promise<CheckSeen> {
  const { command, setup, runs, cache, timeMs } = options;
  mkdirSync(running.folder);
  try {
    const git = gitIn(repository, options);
    await checkOut(git, join((await openRepository(git)).place, 'objects'), commit, running.folder);
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    const why = error.message === TOO_LONG ? 'it took too long' : error.message;
    return { impossible: `it could not be checked out: ${why}`, kind: 'stopped' };
  }
  if (setup !== undefined) {
    const { exit } = await runCommand(setup, running);
    if (exit !== 0) return { impossible: `the setup failed${describeExit(exit, timeMs)}`, kind: 'stopped' };
  }
  let { passed, failed } = cache.get(name) ?? { passed: 0, failed: 0 };
  while (passed + failed < runs) {
    const said = readCheck(await runCommand(command, running), timeMs);
    if (typeof said === 'object') return said;
    if (said) passed += 1;
    else failed += 1;
  }
  return { passed, failed };
}

function describeExit(exit: CommandSeen['exit'], timeMs: number): string {
  if (exit === 'time') return `: it did not end within ${Math.round(timeMs / 1000)} s`;
  return typeof exit === 'number' ? ` with exit code ${exit}` : '';
}

/** Any command may be a check: its exit code decides, unless it could not run or found nothing to run. */
function readCheck({ exit, output }: CommandSeen, timeMs: number): boolean | CheckSeen {
  if (typeof exit !== 'number')
    return { impossible: `the check was stopped${describeExit(exit, timeMs)}`, kind: 'stopped' };
  if (exit === 126 || exit === 127)
    return { impossible: `the check could not run (exit code ${exit})`, kind: 'missing' };
  const verdict = verdictOf(
    { does: 'check', kind: 'tests' },
    exit === 0 ? 'succeeded' : 'failed',
    output,
    true,
  );
  if (verdict !== 'impossible') return exit === 0;
  return exit === 0
    ? { impossible: NOTHING_RAN, kind: 'missing' }
    : { impossible: 'the check could not run: something that it needs is missing', kind: 'missing' };
}
