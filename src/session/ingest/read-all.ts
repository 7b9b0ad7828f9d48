/**
 * Many files → all their sessions, each counted once, in a stable order: by path, then by place in the file.
 *
 * The way of a line, from the disk to the facts of its session:
 *
 *     files/find-sources, find-files   which files there are
 *     cache/plan-file                  known, to be resumed, or to be read
 *     reading/share-files              by which thread
 *     reading/read-file                lines, one document or a database; files/open-input gives its bytes
 *     reading/read-lines               bytes → records (json/record-reader), whose format is detected
 *     reading/transcript               records → events (formats/<name>/adapter) → fold/ → facts, one per session
 *     copies/count-copies              what stands in several files is taken out of all but one of them
 *
 * and back from the facts of a session to its messages: replay/.
 */
import { statSync } from 'node:fs';
import { AssayError } from '../../errors.ts';
import type { FileReading, SessionFacts } from '../evidence.ts';
import { keepNurserySmall, limitHeapGrowth } from '../limit-heap-growth.ts';
import { stopIfAborted, takeTurns } from '../stop-if-aborted.ts';
import { corpusOf, type FileStamp, type Plan, planFile, worthRemembering } from './cache/plan-file.ts';
import type { CachedFile, FileToCache, TranscriptCache } from './cache/transcript-cache.ts';
import type { Read, ReadAgain } from './copies/count-copies.ts';
import { joinKeys, PackedKeys } from './copies/entry-keys.ts';
import type { ToWeigh, Weighed } from './copies/weigh-files.ts';
import { STANDARD_INPUT } from './files/open-input.ts';
import type { LoadedFormat } from './formats/format.ts';
import { factsIn, type KeptSessions, MemoryLimit } from './reading/kept-sessions.ts';
import type { FileResult } from './reading/read-file.ts';
import { type FileJob, type FileOutcome, isWorthAThread, ReaderThreads } from './reading/reader-thread.ts';
import { shareFiles } from './reading/share-files.ts';
import { closeSpill, openSpill } from './reading/spill-list.ts';

export type FoundSession = { readonly path: string; readonly facts: SessionFacts };

type About = {
  readonly readings: readonly FileReading[];
  /** Files that could not be read at all. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
  /** How many files were known and not read again. */
  readonly remembered: number;
};

export type AllRead = About & { readonly sessions: readonly FoundSession[] };

/** The sessions of each file as text, until `close` is called: however many there are, they take little memory. */
export type AllScanned = About & {
  readonly files: readonly { readonly path: string; readonly kept: KeptSessions }[];
  /** Undefined when one of them cannot be told apart from its successor, or could not be read. */
  readonly stamps: readonly FileStamp[] | undefined;
  readonly close: () => void;
};

export type ReadAllOptions = {
  readonly cache?: TranscriptCache | undefined;
  /** True: nothing is taken from the cache, and what is read replaces what it remembers. */
  readonly fresh?: boolean | undefined;
  /** As many as are useful when not given. */
  readonly threads?: number | undefined;
  readonly formats?: readonly LoadedFormat[] | undefined;
  /** Aborted: it ends with STOPPED as soon as it notices, at the latest after the file that is being read. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?:
    | ((done: { files: number; ofFiles: number; bytes: number; ofBytes: number }) => void)
    | undefined;
};

/** Smaller files are as quickly read again as their state is stored. */
const WORTH_RESUMING_BYTES = 1_000_000;

/** Whether to go on is asked after so many files. */
const PLANNED_TOGETHER = 100;

/** Of so many files each is tiny, or time enough for all: what is kept of them counts. */
const VERY_MANY = 5000;

/** So many files are written to the cache at a time, while others are still being read. */
const REMEMBERED_TOGETHER = 64;

type FileRead = Read & { readonly reading: FileReading; readonly stamp: FileStamp | undefined };

/** With all sessions in memory. */
export async function readAll(files: readonly string[], options: ReadAllOptions = {}): Promise<AllRead> {
  const { files: scanned, stamps: _, close, ...about } = await scanAll(files, options);
  try {
    const sessions = scanned.flatMap(({ path, kept }) =>
      [...factsIn(kept)].map((facts) => ({ path, facts })),
    );
    return { ...about, sessions };
  } finally {
    close();
  }
}

export async function scanAll(files: readonly string[], options: ReadAllOptions = {}): Promise<AllScanned> {
  const limit = new MemoryLimit(openSpill());
  const readers = new ReaderThreads();
  try {
    return await scanWithin(files, { ...options, limit, readers }).finally(() => readers.stop());
  } catch (error) {
    closeSpill(limit.spill);
    throw error;
  }
}

type Running = ReadAllOptions & { readonly limit: MemoryLimit; readonly readers: ReaderThreads };

async function scanWithin(files: readonly string[], options: Running): Promise<AllScanned> {
  const { cache, signal } = options;
  const { spill } = options.limit;
  const plans = await planFiles(files, options);
  const { outcomes, resumed } = await runPlans(
    plans.filter(({ known }) => known === undefined),
    options,
  );
  limitHeapGrowth(0);
  const reads: FileRead[] = [];
  const unreadable: { path: string; why: string }[] = [];
  for (const plan of plans) {
    const { path, known } = plan;
    const stampWith = ({ kept: { source }, beside }: Pick<CachedFile, 'kept' | 'beside'>) =>
      plan.identity && { path, identity: plan.identity, source, beside };
    const { result, problem = 'it could not be read' } = outcomes.get(path) ?? {};
    if (known !== undefined) {
      const { kept, reading } = known;
      reads.push({ path, kept, reading, keys: () => keysOf(path, options), stamp: stampWith(known) });
    } else if (result === undefined) unreadable.push({ path, why: problem });
    else {
      const keys = async () =>
        result.resumed ? joinKeys([await keysOf(path, options), result.keys]) : result.keys;
      reads.push({ path, kept: result.kept, reading: result.reading, keys, stamp: stampWith(result) });
    }
  }
  stopIfAborted(signal);
  // Before the new keys are remembered: those of a resumed file are added to the ones known of it.
  const corrected = await correctedSessions(reads, plans, options);
  stopIfAborted(signal);
  cache?.remember(resumed);
  cache?.forgetGone(isGone);
  return {
    files: reads.map(({ path, kept }) => ({ path, kept: corrected.get(path) ?? kept })),
    readings: reads.map(({ reading }) => reading),
    stamps: unreadable.length > 0 ? undefined : allOf(reads.map(({ stamp }) => stamp)),
    unreadable,
    remembered: plans.filter(({ known }) => known !== undefined).length,
    close: () => closeSpill(spill),
  };
}

function allOf<T>(values: readonly (T | undefined)[]): T[] | undefined {
  const found = values.filter((value) => value !== undefined);
  return found.length < values.length ? undefined : found;
}

/** Only files that share entries are in the result. */
async function correctedSessions(
  reads: readonly Read[],
  plans: readonly Plan[],
  options: Running,
): Promise<ReadonlyMap<string, KeptSessions>> {
  if (reads.length < 2) return new Map();
  const { cache, fresh, formats, limit } = options;
  // All files together.
  const corpus = corpusOf(plans);
  const known = fresh || corpus === undefined ? undefined : cache?.corpus(corpus);
  if (known !== undefined) return new Map(JSON.parse(known));
  const { countCopies } = await import('./copies/count-copies.ts');
  const corrected = await countCopies(reads, {
    formats,
    spill: limit.spill,
    readAgain: (files) => readAgain(files, plans, options),
    weigh: (groups) => weighApart(groups, plans, options),
  });
  if (corpus !== undefined && [...corrected.values()].every(isInMemory))
    cache?.rememberCorpus(corpus, JSON.stringify([...corrected]));
  return corrected;
}

/** By the threads that have read them. */
async function weighApart(
  groups: readonly ToWeigh[],
  plans: readonly Plan[],
  { limit, ...options }: Running,
): Promise<readonly (readonly Weighed[])[]> {
  const bytesOf = sizesOf(plans);
  const jobs = groups.map((weigh): FileJob => {
    const bytes = weigh.paths.reduce((sum, path) => sum + (bytesOf.get(path) ?? 0), 0);
    // Standard input is the main thread's.
    const path = weigh.paths.find((one) => one === STANDARD_INPUT) ?? weigh.paths[0] ?? '';
    return { path, bytes, remember: false, weigh };
  });
  const found: (readonly Weighed[])[] = jobs.map(() => []);
  const problems: string[] = [];
  const onOutcome = (index: number, { weighed, problem = 'it could not be read' }: FileOutcome): void => {
    if (weighed === undefined) problems.push(problem);
    else found[index] = weighed;
  };
  await shareFiles(jobs, onOutcome, { ...options, spill: limit.spill });
  if (problems[0] !== undefined) throw new AssayError('FILE_UNREADABLE', problems[0]);
  return found;
}

function sizesOf(plans: readonly Plan[]): ReadonlyMap<string, number> {
  return new Map(plans.map(({ path, identity, bytes }) => [path, identity?.size ?? bytes]));
}

/** By the threads that have read them: what those have compiled need not be compiled for this one. */
async function readAgain(
  files: readonly ReadAgain[],
  plans: readonly Plan[],
  { limit, ...options }: Running,
): Promise<ReadonlyMap<string, KeptSessions>> {
  if (files.length === 0) {
    await options.readers.stop();
    return new Map();
  }
  const bytesOf = sizesOf(plans);
  const jobs = files.map((file) => ({ ...file, bytes: bytesOf.get(file.path) ?? 0, remember: false }));
  const kept = new Map<string, KeptSessions>();
  const unread: string[] = [];
  const onOutcome = (index: number, { result, problem }: FileOutcome): void => {
    const { path } = jobs[index] as FileJob;
    if (result === undefined) unread.push(`${path} could not be read again: ${problem}`);
    else kept.set(path, limit.within(result.kept));
  };
  await shareFiles(jobs, onOutcome, { ...options, spill: limit.spill });
  // Nothing is left to read, and they take memory.
  await options.readers.stop();
  if (unread[0] !== undefined) throw new AssayError('FILE_UNREADABLE', unread[0]);
  return kept;
}

/** Long lists are on the disk for this run only, and too long to be remembered twice. */
function isInMemory({ portions }: KeptSessions): boolean {
  return portions.every((portion) => 'json' in portion);
}

/** Sees what there is to read; as soon as that is much, a thread is started, because it takes a while to come up. */
async function planFiles(
  files: readonly string[],
  { cache, fresh = false, threads, formats, signal, limit, readers }: Running,
): Promise<Plan[]> {
  let bytes = 0;
  const plans: Plan[] = [];
  for (const path of [...new Set(files)].sort()) {
    if (signal !== undefined && plans.length % PLANNED_TOGETHER === 0) await takeTurns(signal);
    const plan = await planFile(path, cache, limit, fresh);
    plans.push(plan);
    if (plans.length === VERY_MANY) keepNurserySmall(Number.POSITIVE_INFINITY);
    if (plan.known === undefined) bytes += plan.bytes;
    if (threads === undefined && formats === undefined && isWorthAThread(bytes)) readers.start(1);
  }
  return plans;
}

/** Remembers what it reads as it goes, but for files that were resumed: their new keys come later. */
async function runPlans(
  plans: readonly Plan[],
  options: Running,
): Promise<{ outcomes: Map<string, FileOutcome>; resumed: FileToCache[] }> {
  const { cache, limit } = options;
  const fresh: FileToCache[] = [];
  const resumed: FileToCache[] = [];
  const jobs: FileJob[] = plans.map(({ path, bytes, resume, identity }) => ({
    path,
    bytes,
    resume,
    remember: cache !== undefined && (identity?.size ?? 0) >= WORTH_RESUMING_BYTES,
  }));
  const ofBytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
  const outcomes = new Map<string, FileOutcome>();
  const packed = new PackedKeys();
  let bytes = 0;
  const onOutcome = (index: number, outcome: FileOutcome): void => {
    const job = jobs[index] as FileJob;
    const { result } = outcome;
    const worth = cache && result && worthRemembering(plans[index] as Plan, result);
    if (worth !== undefined) (worth.resumed ? resumed : fresh).push(worth);
    if (fresh.length >= REMEMBERED_TOGETHER) cache?.remember(fresh.splice(0));
    outcomes.set(
      job.path,
      result === undefined ? outcome : { result: slimmed(result, job.path, limit, packed) },
    );
    bytes += job.bytes;
    limitHeapGrowth(outcomes.size);
    options.onProgress?.({ files: outcomes.size, ofFiles: jobs.length, bytes, ofBytes });
  };
  try {
    await shareFiles(jobs, onOutcome, { ...options, spill: limit.spill });
  } finally {
    cache?.remember(fresh);
  }
  return { outcomes, resumed };
}

/** What a thread has sent has a copy of everything: of very many files only what differs is kept. */
function slimmed(result: FileResult, path: string, limit: MemoryLimit, packed: PackedKeys): FileResult {
  const { kept, keys, reading } = result;
  return {
    ...result,
    path,
    kept: limit.within(kept),
    keys: packed.pack(keys),
    progress: undefined,
    reading: {
      ...reading,
      path,
      skipped: orNone(reading.skipped),
      unknownRecords: orNone(reading.unknownRecords),
    },
  };
}

const NONE = {} as const;

function orNone<Counts extends object>(counts: Counts): Counts | Record<string, never> {
  return Object.keys(counts).length === 0 ? NONE : counts;
}

/** Damaged ones are found out anew, and nothing more is taken from what is remembered of that file. */
async function keysOf(path: string, { cache, formats }: ReadAllOptions): Promise<Float64Array> {
  const known = cache?.keysOf(path);
  if (known !== undefined) return known;
  cache?.forget([path]);
  const { scanFile } = await import('./reading/read-file.ts');
  return (await scanFile(path, { formats })).keys;
}

function isGone(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
