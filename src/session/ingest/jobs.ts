/** Files to read, shared among threads: each takes the next one of a common list. */
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type AnyFormat, FORMATS } from './detect.ts';
import { STANDARD_INPUT } from './open-input.ts';
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
/**
 * Each reader needs about 75 MB, and the whole process must stay below 250. The main thread is none of them: its memory
 * cannot be limited, and with it reading, 300 MB were reached.
 */
const MAX_READERS = 2;

/** What a thread is told: the files, and which of them are taken. */
export type ToRead = { readonly jobs: readonly Job[]; readonly taken: SharedArrayBuffer };

type Options = {
  /** 0: they are read here. */
  readonly threads?: number | undefined;
  readonly formats?: readonly AnyFormat[] | undefined;
  readonly thread?: Thread | undefined;
};

export async function runJobs(
  jobs: readonly Job[],
  onOutcome: OnOutcome,
  { threads, formats, thread }: Options = {},
): Promise<void> {
  // The largest first: a long one taken last would keep all others waiting.
  const order = jobs.map((_, index) => index).sort((a, b) => (jobs[b]?.bytes ?? 0) - (jobs[a]?.bytes ?? 0));
  const sorted = order.map((index) => jobs[index] as Job);
  const seen = new Uint8Array(jobs.length);
  const onSorted: OnOutcome = (place, outcome) => {
    seen[place] = 1;
    onOutcome(order[place] as number, outcome);
  };
  const readers = formats === undefined ? readersFor(sorted, threads) : 0;
  if (readers > 0 && sorted.length > 0) {
    const taken = new SharedArrayBuffer(4 * jobs.length);
    const others = Array.from({ length: readers }, (_, i) =>
      (i === 0 && thread !== undefined ? thread : new Thread()).read({ jobs: sorted, taken }, onSorted),
    );
    await Promise.all(others);
  } else {
    thread?.stop();
  }
  // All of them, without threads; otherwise standard input, and what a thread had taken when it died.
  for (const [place, job] of sorted.entries()) {
    if (seen[place] === 0) onSorted(place, await runJob(job, formats));
  }
}

/** 0: they are read here. A large file is always read by a thread, because only a thread's memory can be limited. */
function readersFor(jobs: readonly Job[], wanted: number | undefined): number {
  const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
  if (wanted === undefined && !isWorthAThread(bytes)) return 0;
  return Math.min(wanted ?? Math.min(availableParallelism(), MAX_READERS), jobs.length);
}

export function isWorthAThread(bytes: number): boolean {
  return bytes >= WORTH_A_THREAD_BYTES;
}

/** In a thread: takes jobs until none is left, the largest first. */
export async function takeJobs({ jobs, taken }: ToRead, onOutcome: OnOutcome): Promise<void> {
  const marks = new Int32Array(taken);
  for (const [index, job] of jobs.entries()) {
    // Standard input belongs to the main thread, which takes what is left over.
    if (job.path !== STANDARD_INPUT && take(marks, index)) onOutcome(index, await runJob(job));
  }
}

function take(marks: Int32Array, index: number): boolean {
  return Atomics.compareExchange(marks, index, 0, 1) === 0;
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

/** Starting takes a while, so it may begin before it is known what there is to read. */
export class Thread {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;

  constructor() {
    // A clone runs its sources, an installed package what was built from them.
    const script = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
    this.#worker = new Worker(script, { resourceLimits: LIMITS, env: environment() });
    this.#worker.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => resolve());
    });
  }

  /** Resolves when the thread has ended, whatever the reason. */
  read(what: ToRead, onOutcome: OnOutcome): Promise<void> {
    this.#worker.on('message', ({ index, outcome }: { index: number; outcome: Outcome }) =>
      onOutcome(index, outcome),
    );
    this.#worker.postMessage(what);
    return this.#ended;
  }

  stop(): void {
    void this.#worker.terminate();
  }
}
