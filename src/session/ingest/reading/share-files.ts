/** Files to read, shared among threads: each takes the next one of a common list. */
import { availableParallelism } from 'node:os';
import { keepNurserySmall } from '../../limit-heap-growth.ts';
import { takeTurns, unlessAborted } from '../../stop-if-aborted.ts';
import { STANDARD_INPUT } from '../files/open-input.ts';
import type { LoadedFormat } from '../formats/format.ts';
import {
  type FileJob,
  type FileOutcome,
  isWorthAThread,
  type OnOutcome,
  type ReaderThreads,
  type ToRead,
} from './reader-thread.ts';
import type { Spill } from './spill-list.ts';

/**
 * Each reader needs about 75 MB, and the whole process must stay below 250. The main thread is none of them: its memory
 * cannot be limited, and with it reading, 300 MB were reached.
 */
const MAX_READERS = 2;

/** Each thread has a list of its own of what there is to read: of very many files they are told part by part. */
const TOLD_TOGETHER = 4096;

type Options = {
  /** How many of them; 0: the files are read here. */
  readonly threads?: number | undefined;
  readonly readers: ReaderThreads;
  readonly formats?: readonly LoadedFormat[] | undefined;
  readonly spill?: Spill | undefined;
  /** Aborted: the threads are stopped, and no other file is read. */
  readonly signal?: AbortSignal | undefined;
};

export async function shareFiles(
  jobs: readonly FileJob[],
  onOutcome: OnOutcome,
  { threads, readers, formats, spill, signal }: Options,
): Promise<void> {
  // The largest first: a long one taken last would keep all others waiting.
  const order = jobs.map((_, index) => index).sort((a, b) => (jobs[b]?.bytes ?? 0) - (jobs[a]?.bytes ?? 0));
  const sorted = order.map((index) => jobs[index] as FileJob);
  const seen = new Uint8Array(jobs.length);
  const onSorted: OnOutcome = (place, outcome) => {
    seen[place] = 1;
    onOutcome(order[place] as number, outcome);
  };
  const count = formats === undefined ? readersFor(sorted, threads) : 0;
  if (count > 0 && sorted.length > 0) {
    const others = readers.start(count);
    for (let from = 0; from < sorted.length; from += TOLD_TOGETHER) {
      const part = sorted.slice(from, from + TOLD_TOGETHER);
      const taken = new SharedArrayBuffer(4 * part.length);
      const onPart: OnOutcome = (place, outcome) => onSorted(from + place, outcome);
      const reading = Promise.all(others.map((one) => one.read({ jobs: part, taken, spill }, onPart)));
      await unlessAborted(reading, signal);
    }
  } else {
    keepNurserySmall(bytesOf(sorted));
  }
  // All of them, without threads; otherwise standard input, and what a thread had taken when it died.
  for (const [place, job] of sorted.entries()) {
    if (seen[place] !== 0) continue;
    if (signal !== undefined) await takeTurns(signal);
    onSorted(place, await unlessAborted(readShared(job, spill, formats), signal));
  }
}

/** 0: they are read here. A large file is always read by a thread, because only a thread's memory can be limited. */
function readersFor(jobs: readonly FileJob[], wanted: number | undefined): number {
  if (wanted === undefined && !isWorthAThread(bytesOf(jobs))) return 0;
  return Math.min(wanted ?? Math.min(availableParallelism(), MAX_READERS), jobs.length);
}

function bytesOf(jobs: readonly FileJob[]): number {
  return jobs.reduce((sum, job) => sum + job.bytes, 0);
}

/** In a thread: takes jobs until none is left, the largest first. */
export async function takeFiles({ jobs, taken, spill }: ToRead, onOutcome: OnOutcome): Promise<void> {
  const marks = new Int32Array(taken);
  for (const [index, job] of jobs.entries()) {
    // Standard input belongs to the main thread, which takes what is left over.
    if (job.path !== STANDARD_INPUT && take(marks, index)) onOutcome(index, await readShared(job, spill));
  }
}

function take(marks: Int32Array, index: number): boolean {
  return Atomics.compareExchange(marks, index, 0, 1) === 0;
}

async function readShared(
  { path, resume, remember, copies, weighedBy, weigh }: FileJob,
  spill: Spill | undefined,
  given?: readonly LoadedFormat[],
): Promise<FileOutcome> {
  try {
    if (weigh !== undefined) {
      const { weighFiles } = await import('../copies/weigh-files.ts');
      return { weighed: await weighFiles(weigh, given, spill) };
    }
    // Here, so that the main thread loads no reader when others do the reading.
    const { scanFile } = await import('./read-file.ts');
    const progress = resume === undefined ? undefined : JSON.parse(resume);
    const left = copies && new Set(copies);
    const formats = weighedBy === undefined ? given : await exactly(weighedBy, path, left, given);
    return { result: await scanFile(path, { resume: progress, remember, formats, spill, copies: left }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

async function exactly(
  name: string,
  path: string,
  copies: ReadonlySet<number> | undefined,
  given: readonly LoadedFormat[] | undefined,
): Promise<readonly LoadedFormat[]> {
  const { loadFormats } = await import('../formats/load-formats.ts');
  const format = (given ?? (await loadFormats())).find((one) => one.name === name);
  const rest = format?.weighCopies?.(format, new Set()).rest(path, copies);
  return rest === undefined ? [] : [rest];
}
