/** Files to read, shared among threads: each takes the next one of a common list. */
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type AnyFormat, FORMATS } from './detect.ts';
import { type FileResult, readFile } from './read-file.ts';

export type Job = {
  readonly path: string;
  readonly bytes: number;
  /** `Progress` as JSON. */
  readonly resume?: string | undefined;
  readonly remember: boolean;
};

/** Either a result, or why there is none. */
export type Outcome = { readonly result?: FileResult; readonly problem?: string };

/** Parsed records die young: a larger nursery would only take memory. */
const LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };

type OnOutcome = (index: number, outcome: Outcome) => void;

/** Below this many bytes another thread costs more than it helps. */
const WORTH_A_THREAD_BYTES = 24 * 1024 * 1024;
/** Each thread needs about 75 MB, and the whole process must stay below 250. */
const MAX_THREADS = 2;

export async function runJobs(
  jobs: readonly Job[],
  onOutcome: OnOutcome,
  options: {
    readonly threads?: number | undefined;
    readonly formats?: readonly AnyFormat[] | undefined;
  } = {},
): Promise<void> {
  // The largest first: a long one taken last would keep all others waiting.
  const order = jobs.map((_, index) => index).sort((a, b) => (jobs[b]?.bytes ?? 0) - (jobs[a]?.bytes ?? 0));
  const sorted = order.map((index) => jobs[index] as Job);
  const seen = new Uint8Array(jobs.length);
  const onSorted: OnOutcome = (place, outcome) => {
    seen[place] = 1;
    onOutcome(order[place] as number, outcome);
  };
  const counter = new SharedArrayBuffer(4);
  const threads = options.formats === undefined ? threadsFor(sorted, options.threads) : 0;
  await Promise.all(Array.from({ length: threads }, () => startWorker(sorted, counter, onSorted)));
  // All of them, without threads; otherwise what a thread had taken when it died.
  for (const [place, job] of sorted.entries()) {
    if (seen[place] === 0) onSorted(place, await runJob(job, options.formats));
  }
}

/** 0: they are read here. A large file is always read by a thread, because only a thread's memory can be limited. */
function threadsFor(jobs: readonly Job[], wanted: number | undefined): number {
  const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
  if (wanted === undefined && bytes < WORTH_A_THREAD_BYTES) return 0;
  return Math.min(wanted ?? Math.min(availableParallelism(), MAX_THREADS), jobs.length);
}

/** Takes jobs until none is left. */
export async function takeJobs(
  jobs: readonly Job[],
  counter: Int32Array,
  onOutcome: OnOutcome,
): Promise<void> {
  for (let index = Atomics.add(counter, 0, 1); index < jobs.length; index = Atomics.add(counter, 0, 1)) {
    onOutcome(index, await runJob(jobs[index] as Job));
  }
}

async function runJob(
  { path, resume, remember }: Job,
  formats: readonly AnyFormat[] = FORMATS,
): Promise<Outcome> {
  try {
    const progress = resume === undefined ? undefined : JSON.parse(resume);
    return { result: await readFile(path, { resume: progress, remember, formats }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** What was compiled for the main thread need not be compiled again. */
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
}

/** Resolves when the thread has ended, whatever the reason. */
function startWorker(jobs: readonly Job[], counter: SharedArrayBuffer, onOutcome: OnOutcome): Promise<void> {
  // A clone runs its sources, an installed package what was built from them.
  const script = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
  return new Promise((resolve) => {
    const worker = new Worker(script, {
      workerData: { jobs, counter },
      resourceLimits: LIMITS,
      env: environment(),
    });
    worker.on('message', ({ index, outcome }: { index: number; outcome: Outcome }) =>
      onOutcome(index, outcome),
    );
    worker.on('error', () => {});
    worker.on('exit', () => resolve());
  });
}
