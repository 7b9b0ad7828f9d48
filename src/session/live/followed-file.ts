/** One growing file: only appended lines are read. */
import { type BigIntStats, closeSync, openSync, readSync, statSync } from 'node:fs';
import type { FileReading, SessionFacts } from '../evidence.ts';
import { joinKeys } from '../ingest/duplicates/entry-keys.ts';
import { companionsOf, contentUpTo } from '../ingest/files/file-identity.ts';
import type { FileResult } from '../ingest/reading/read-file.ts';
import type { ReadingProgress } from '../ingest/reading/read-lines.ts';
import type { LeftStream } from './sent-streams.ts';

/** Where the last reading was left, and what the file was up to there. */
type Left = {
  readonly progress: ReadingProgress;
  readonly end: number;
  readonly sum: number;
  /** The last bytes before it. */
  readonly edge: Buffer;
};

export type FollowedFile = {
  readonly path: string;
  readonly stamp: string;
  readonly inode?: bigint;
  /** Milliseconds: when it was last written to. */
  readonly changedAt: number;
  readonly companions: string;
  readonly sessions: readonly SessionFacts[];
  readonly reading: FileReading;
  readonly keys: SortedKeys;
  /** Those of them that the last reading found. */
  readonly added: Float64Array;
  readonly left?: Left | undefined;
  /** The same for a sent stream. */
  readonly leftStream?: LeftStream | undefined;
};

const EDGE_BYTES = 4096;
/** Keys of so many readings wait to be put in order. */
const MOST_PARTS = 1000;

/** The file as it is now; the same object when nothing has changed, undefined when there is none. */
export async function followFile(
  path: string,
  before: FollowedFile | undefined,
  options: { readonly verify?: boolean } = {},
): Promise<FollowedFile | undefined> {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return undefined;
  const isSame = before?.stamp === stampOf(stats) && isAsItWas(before, options);
  if (before && isSame && before.companions === (await companionsOf(path, before.sessions[0]?.source)))
    return before;
  const left = before?.left;
  const goesOn = left && before.inode === stats.ino && hasSameBeginning(path, left, stats, options);
  const { readFile } = await import('../ingest/reading/read-file.ts');
  const resume = goesOn ? left.progress : undefined;
  const result = await readFile(path, { resume, remember: true });
  return followed(result, stats, result.resumed ? before : undefined);
}

function followed(result: FileResult, stats: BigIntStats, before: FollowedFile | undefined): FollowedFile {
  const { path, sessions, companions, reading, progress } = result;
  const end = progress?.at.offset;
  const keys = before?.keys ?? new SortedKeys();
  keys.add(result.keys);
  const left =
    progress === undefined || end === undefined
      ? undefined
      : { progress, end, sum: contentUpTo(path, end, before?.left), edge: edgeOf(path, end) };
  return { path, ...timesIn(stats), companions, sessions, reading, keys, added: result.keys, left };
}

function timesIn(stats: BigIntStats): Pick<FollowedFile, 'stamp' | 'inode' | 'changedAt'> {
  return { stamp: stampOf(stats), inode: stats.ino, changedAt: Number(stats.mtimeMs) };
}

export function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}/${size}/${mtimeNs}/${ctimeNs}`;
}

/** Times of file systems tick slowly, so a change may not show in them; at the end of a session all bytes are looked at. */
function isAsItWas({ path, left }: FollowedFile, { verify }: { readonly verify?: boolean }): boolean {
  return !verify || left === undefined || contentUpTo(path, left.end) === left.sum;
}

/**
 * Whether the beginning of a grown file is unchanged, judging by its last bytes: reading all of it again would be
 * expensive.
 */
function hasSameBeginning(
  path: string,
  left: Left,
  { size }: BigIntStats,
  { verify }: { readonly verify?: boolean },
): boolean {
  if (Number(size) < left.end) return false;
  if (verify) return contentUpTo(path, left.end) === left.sum;
  return edgeOf(path, left.end).equals(left.edge);
}

function edgeOf(path: string, end: number): Buffer {
  const from = Math.max(0, end - EDGE_BYTES);
  const bytes = Buffer.alloc(end - from);
  const file = openSync(path, 'r');
  try {
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, from + length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Unique keys in order. New ones are sorted on demand: sorting after every line would be expensive. */
export class SortedKeys {
  #all: Float64Array = new Float64Array();
  #added: Float64Array[] = [];

  add(keys: Float64Array): void {
    if (keys.length > 0) this.#added.push(keys);
    if (this.#added.length >= MOST_PARTS) this.all();
  }

  all(): Float64Array {
    if (this.#added.length > 0) {
      const sorted = joinKeys([this.#all, ...this.#added]).sort();
      this.#all = sorted.filter((key, place) => key !== sorted[place - 1]);
      this.#added = [];
    }
    return this.#all;
  }
}
