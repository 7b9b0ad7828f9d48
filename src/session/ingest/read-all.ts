/** Many files → all their sessions, each counted once, in a stable order: by path, then by place in the file. */
import type { FileReading, SessionFacts } from '../evidence.ts';
import { correctedSessions, type Read } from './count-copies.ts';
import type { AnyFormat } from './detect.ts';
import { isWorthAThread, type Job, type Outcome, runJobs, Thread } from './jobs.ts';
import type { Memory, ToRemember } from './memory.ts';
import { corpusOf, type Plan, planFile, worthRemembering } from './plan-file.ts';

export type FoundSession = { readonly path: string; readonly facts: SessionFacts };

export type AllRead = {
  readonly sessions: readonly FoundSession[];
  readonly readings: readonly FileReading[];
  /** Files that could not be read at all. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
  /** How many files were known and not read again. */
  readonly remembered: number;
};

export type ReadAllOptions = {
  readonly memory?: Memory | undefined;
  /** As many as are useful when not given. */
  readonly threads?: number | undefined;
  readonly formats?: readonly AnyFormat[] | undefined;
  readonly onProgress?:
    | ((done: { files: number; ofFiles: number; bytes: number; ofBytes: number }) => void)
    | undefined;
};

/** Smaller files are as quickly read again as their state is stored. */
const WORTH_RESUMING_BYTES = 512 * 1024;

/** So many files are written to the memory at a time, while others are still being read. */
const REMEMBERED_TOGETHER = 64;

type FileRead = Read & { readonly reading: FileReading };

export async function readAll(files: readonly string[], options: ReadAllOptions = {}): Promise<AllRead> {
  const { memory, formats } = options;
  const { plans, thread } = planFiles(files, options);
  const { outcomes, resumed } = await runPlans(
    plans.filter(({ known }) => known === undefined),
    { ...options, thread },
  );
  const reads: FileRead[] = [];
  const unreadable: { path: string; why: string }[] = [];
  for (const plan of plans) {
    const { path, known } = plan;
    const { result, problem = 'it could not be read' } = outcomes.get(path) ?? {};
    if (known !== undefined) reads.push({ path, ...known, keys: () => keysOf(memory, path) });
    else if (result === undefined) unreadable.push({ path, why: problem });
    else {
      const keys = () => (result.resumed ? joined(keysOf(memory, path), result.keys) : result.keys);
      reads.push({ path, sessions: result.sessions, reading: result.reading, keys });
    }
  }
  // Before the new keys are remembered: those of a resumed file are added to the ones known of it.
  const corrected = await correctedSessions(reads, corpusOf(plans), memory, formats);
  memory?.remember(resumed);
  const sessionsOf = ({ path, sessions }: FileRead) => corrected.get(path) ?? sessions;
  return {
    sessions: reads.flatMap((read) => sessionsOf(read).map((facts) => ({ path: read.path, facts }))),
    readings: reads.map(({ reading }) => reading),
    unreadable,
    remembered: plans.filter(({ known }) => known !== undefined).length,
  };
}

/** Sees what there is to read; as soon as that is much, a thread is started, because it takes a while to come up. */
function planFiles(
  files: readonly string[],
  { memory, threads, formats }: ReadAllOptions,
): { plans: Plan[]; thread: Thread | undefined } {
  let thread: Thread | undefined;
  let bytes = 0;
  const plans = [...new Set(files)].sort().map((path) => {
    const plan = planFile(path, memory);
    if (plan.known === undefined) bytes += plan.bytes;
    if (threads === undefined && formats === undefined && isWorthAThread(bytes)) thread ??= new Thread();
    return plan;
  });
  return { plans, thread };
}

/** Remembers what it reads as it goes, but for files that were resumed: their new keys come later. */
async function runPlans(
  plans: readonly Plan[],
  options: ReadAllOptions & { readonly thread: Thread | undefined },
): Promise<{ outcomes: Map<string, Outcome>; resumed: ToRemember[] }> {
  const { memory } = options;
  const fresh: ToRemember[] = [];
  const resumed: ToRemember[] = [];
  const jobs: Job[] = plans.map(({ path, bytes, resume, identity }) => ({
    path,
    bytes,
    resume,
    remember: memory !== undefined && (identity?.size ?? 0) >= WORTH_RESUMING_BYTES,
  }));
  const ofBytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
  const outcomes = new Map<string, Outcome>();
  let bytes = 0;
  const onOutcome = (index: number, outcome: Outcome): void => {
    const job = jobs[index] as Job;
    const { result } = outcome;
    const worth = memory && result && worthRemembering(plans[index] as Plan, result);
    if (worth !== undefined) (worth.resumed ? resumed : fresh).push(worth);
    if (fresh.length >= REMEMBERED_TOGETHER) memory?.remember(fresh.splice(0));
    outcomes.set(job.path, result === undefined ? outcome : { result: { ...result, progress: undefined } });
    bytes += job.bytes;
    options.onProgress?.({ files: outcomes.size, ofFiles: jobs.length, bytes, ofBytes });
  };
  await runJobs(jobs, onOutcome, options);
  memory?.remember(fresh);
  return { outcomes, resumed };
}

function keysOf(memory: Memory | undefined, path: string): Float64Array {
  return memory?.keysOf(path) ?? new Float64Array();
}

function joined(before: Float64Array, after: Float64Array): Float64Array {
  const all = new Float64Array(before.length + after.length);
  all.set(before);
  all.set(after, before.length);
  return all;
}
