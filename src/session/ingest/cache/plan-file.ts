/** Whether a file must be read, can be resumed, or is known; and what is worth remembering of it. */
import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import {
  type Beginning,
  boundedSum,
  type Identity,
  identityOf,
  identityText,
  isSameFile,
  isUntouched,
  lookAt,
} from '../files/file-identity.ts';
import { STANDARD_INPUT } from '../files/open-input.ts';
import { besideOf } from '../reading/beside.ts';
import type { MemoryLimit } from '../reading/kept-sessions.ts';
import type { FileResult } from '../reading/read-file.ts';
import type { CachedFile, FileToCache, TranscriptCache } from './transcript-cache.ts';

export type Plan = {
  readonly path: string;
  readonly bytes: number;
  readonly identity: Identity | undefined;
  readonly known?: CachedFile;
  readonly resume?: string;
  /** What was compared for that. */
  readonly beginning?: Beginning;
};

export async function planFile(
  path: string,
  cache: TranscriptCache | undefined,
  limit: MemoryLimit,
  fresh: boolean,
): Promise<Plan> {
  const stats = path === STANDARD_INPUT ? undefined : statsOf(path);
  const plan = { path, bytes: Number(stats?.size ?? 0), identity: undefined };
  if (cache === undefined || stats === undefined) return plan;
  try {
    const before = fresh ? undefined : cache.recall(path, limit.spill);
    if (before === undefined) return { ...plan, identity: identityOf(path) };
    const left = hasGrown(before, stats) ? progressOf(path, cache) : undefined;
    const { identity: now, beginning } = isUntouched(before.identity, stats)
      ? { identity: before.identity, beginning: undefined }
      : lookAt(path, left?.end ?? 0);
    const isSame = now === before.identity || isSameFile(path, before.identity, now);
    const hasSettled = isSame && now.settled && !before.identity.settled;
    // From now on its times alone tell; what is known of several files together is found under what it was called before.
    const identity = hasSettled ? { ...before.identity, settled: true } : now;
    if (hasSettled) cache.settle(path, identity);
    if (isSame && before.beside === (await besideOf(path, before.kept.source)))
      return { ...plan, identity, known: { ...before, kept: limit.within(before.kept) } };
    const resume = isSame ? resumeOf(path, before, cache) : left && { ...left, beginning };
    // Only what is as it was up to where it was left goes on there.
    if (resume?.beginning === undefined || resume.beginning.sum !== before.prefix)
      return { ...plan, identity };
    return { ...plan, identity, resume: resume.progress, beginning: resume.beginning, bytes: 0 };
  } catch {
    return plan;
  }
}

/** Undefined when there is no file, or none that can be reached: reading it says why. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function hasGrown({ identity, prefix }: CachedFile, { size, ino }: BigIntStats): boolean {
  return prefix !== undefined && Number(size) > identity.size && String(ino) === identity.inode;
}

/** Where the last reading was left. */
type Left = { readonly progress: string; readonly end: number };

function progressOf(path: string, cache: TranscriptCache): Left | undefined {
  const progress = cache.progressOf(path);
  const offset = progress && OFFSET.exec(progress)?.[1];
  return progress === undefined || offset === undefined ? undefined : { progress, end: Number(offset) };
}

/** Where it was left is the first that stands in `ReadingProgress`; all of it is long, and parsed by who goes on. */
const OFFSET = /^\{"format":"[^"]*","at":\{"offset":(\d+)/;

/** Of a file that has not changed, while something beside it has. */
function resumeOf(
  path: string,
  { prefix }: CachedFile,
  cache: TranscriptCache,
): (Left & { readonly beginning: Beginning }) | undefined {
  const left = prefix === undefined ? undefined : progressOf(path, cache);
  return left && { ...left, beginning: { end: left.end, sum: boundedSum(path, left.end) } };
}

/** Undefined for what cannot be told apart from its successor. */
export function worthRemembering(
  { path, identity, beginning }: Plan,
  result: FileResult,
): FileToCache | undefined {
  if (identity === undefined) return undefined;
  const { kept, beside, reading, keys, progress, left, resumed } = result;
  return {
    path,
    identity,
    beside,
    kept,
    reading,
    keys,
    progress,
    resumed,
    prefix: left === undefined ? undefined : boundedSum(path, left, resumed ? beginning : undefined),
  };
}

/** A file as it was read: as long as it is this one, its sessions are the same. */
export type FileStamp = {
  readonly path: string;
  readonly identity: Identity;
  readonly source?: string;
  readonly beside: string;
};

/** Whether each of these files is still the one that was read, by its times alone. */
export async function areUntouched(files: readonly FileStamp[]): Promise<boolean> {
  for (const { path, identity, source, beside } of files) {
    const stats = statsOf(path);
    if (stats === undefined || !isUntouched(identity, stats)) return false;
    if (beside !== (await besideOf(path, source))) return false;
  }
  return true;
}

/** Identity of all files together; undefined when one of them cannot be told apart from its successor. */
export function corpusOf(plans: readonly Plan[]): string | undefined {
  const hash = createHash('sha1');
  for (const { path, identity } of plans) {
    if (identity === undefined) return undefined;
    hash.update(`${path}\n${identityText(identity)}\n`);
  }
  return hash.digest('hex');
}
