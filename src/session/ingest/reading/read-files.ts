/** Reads many files: small amounts in this thread, more in worker threads with limited memory. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { stopIfAborted, unlessAborted, yieldToEventLoop } from '../../stop-if-aborted.ts';
import { STANDARD_INPUT } from '../files/open-input.ts';
import type { LoadedFormat } from '../formats/format.ts';
import type { FileResult } from './read-file.ts';

export type FileJob = {
  readonly path: string;
  readonly bytes: number;
};

/** Either a result, or why there is none. */
export type FileOutcome = { readonly result?: FileResult; readonly problem?: string };

export type ReadFilesOptions = {
  /** 0: the files are read on this thread. By default as many as are useful. */
  readonly threads?: number | undefined;
  /** Given formats are functions, which no thread can be sent: the files are then read here. */
  readonly formats?: readonly LoadedFormat[] | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Below this many bytes another thread costs more than it helps. */
const WORTH_A_THREAD_BYTES = 24 * 1024 * 1024;
/** Each thread compiles the reader for itself, which takes as long as reading some 100 MB. */
const WORTH_ANOTHER_BYTES = 256 * 1024 * 1024;
const MAX_THREADS = 2;
/** Parsed records die young: a larger nursery would only take memory. */
const LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1024 };
/** Small files are sent together: telling of one takes as long as reading it. */
const BATCH_BYTES = 2 * 1024 * 1024;
const BATCH_FILES = 16;
/** One batch is read while the next one waits, so that a thread never idles. */
const BATCHES_AHEAD = 2;

/** `onOutcome` is called once for each job, in no particular order, and may be waited for. */
export async function readFiles(
  jobs: readonly FileJob[],
  onOutcome: (job: FileJob, outcome: FileOutcome) => void | Promise<void>,
  { threads, formats, signal }: ReadFilesOptions = {},
): Promise<void> {
  const here = jobs.filter(({ path }) => path === STANDARD_INPUT);
  // The largest first: a long one at the end would delay the result.
  const others = jobs.filter(({ path }) => path !== STANDARD_INPUT).sort((a, b) => b.bytes - a.bytes);
  const count = formats === undefined ? threadsFor(others, threads) : 0;
  if (count === 0) here.push(...others);
  else await readWithThreads(others, count, onOutcome, signal);
  for (const job of here) {
    await yieldToEventLoop(signal);
    await onOutcome(job, await unlessAborted(readJob(job, formats), signal));
  }
}

function threadsFor(jobs: readonly FileJob[], wanted: number | undefined): number {
  if (wanted !== undefined) return Math.min(wanted, jobs.length);
  const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
  if (bytes < WORTH_A_THREAD_BYTES) return 0;
  return bytes < WORTH_ANOTHER_BYTES ? 1 : Math.min(availableParallelism(), MAX_THREADS, jobs.length);
}

export async function readJob({ path }: FileJob, formats?: readonly LoadedFormat[]): Promise<FileOutcome> {
  try {
    // Loaded here: where threads read, the main thread loads no reader.
    const { readFile } = await import('./read-file.ts');
    return { result: await readFile(path, { formats }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

async function readWithThreads(
  jobs: readonly FileJob[],
  count: number,
  onOutcome: (job: FileJob, outcome: FileOutcome) => void | Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let next = 0;
  const takeBatch = (): FileJob[] => {
    const batch: FileJob[] = [];
    for (let bytes = 0; bytes < BATCH_BYTES && batch.length < BATCH_FILES; ) {
      const job = jobs[next];
      if (job === undefined) break;
      batch.push(job);
      bytes += job.bytes;
      next += 1;
    }
    return batch;
  };
  // A clone runs its sources, an installed package its build.
  const script = new URL(
    import.meta.url.endsWith('.ts') ? './read-files-worker.ts' : './read-files-worker.js',
    import.meta.url,
  );
  const workers: Worker[] = [];
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(script, { resourceLimits: LIMITS });
      workers.push(worker);
      const sent: FileJob[][] = [];
      const send = (): boolean => {
        const batch = takeBatch();
        if (batch.length === 0) return false;
        sent.push(batch);
        worker.postMessage(batch);
        return true;
      };
      let handling: Promise<void> = Promise.resolve();
      worker.on('message', (outcomes: readonly FileOutcome[]) => {
        const batch = sent.shift() ?? [];
        handling = handling
          .then(async () => {
            stopIfAborted(signal);
            for (const [index, job] of batch.entries())
              await onOutcome(job, outcomes[index] ?? { problem: NO_ANSWER });
            if (!send() && sent.length === 0) resolve();
          })
          .catch(reject);
      });
      worker.on('error', (error) => {
        // What a thread had taken when it ran out of memory cannot be read: other files can.
        handling = handling
          .then(async () => {
            const problem = `it could not be read: ${reasonOf(error)}`;
            for (const job of sent.splice(0).flat()) await onOutcome(job, { problem });
            if (next < jobs.length) await run();
            resolve();
          })
          .catch(reject);
      });
      for (let ahead = 0; ahead < BATCHES_AHEAD; ahead++) if (!send()) break;
      if (sent.length === 0) resolve();
    });
  try {
    await unlessAborted(Promise.all(Array.from({ length: count }, run)), signal);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

const NO_ANSWER = 'it could not be read';

function reasonOf(error: unknown): string {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (isMemory) return 'it needs more memory than one file may take';
  return error instanceof Error ? error.message : String(error);
}
