/**
 * Detects whether a file is still the one that was read: by its times where they can be trusted, else by its content.
 */
import { type BigIntStats, fstatSync, lstatSync, readSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { FORMATS } from '../formats/formats.ts';
import { withFile } from './open-input.ts';

export type Identity = {
  readonly size: number;
  /** Nanoseconds, as text: they do not fit a number. */
  readonly mtimeNs: string;
  /** Unlike the modification time it cannot be set back: it reveals a file that was overwritten in place. */
  readonly ctimeNs: string;
  readonly inode: string;
  /**
   * It had not changed for a while when it was looked at. Clocks of file systems tick slowly: only then does every
   * later change show in its times.
   */
  readonly settled: boolean;
  /** Checksum of the content, for a file that is not settled. */
  readonly content?: number;
};

/** Longer than a file system takes from one tick to the next, the slowest included. */
const SETTLED_MS = 3000n;

export function identityOf(path: string): Identity {
  return withFile(path, (file) => {
    const stats = fstatSync(file, { bigint: true });
    const stamps = stampsIn(stats);
    if (isSettled(stats)) return { ...stamps, settled: true };
    return { ...stamps, settled: false, content: checksum(file, stamps.size) };
  });
}

function isSettled({ ctimeMs, mtimeMs }: BigIntStats): boolean {
  const changed = ctimeMs > mtimeMs ? ctimeMs : mtimeMs;
  return BigInt(Date.now()) - changed > SETTLED_MS;
}

type Stamps = Pick<Identity, 'size' | 'mtimeNs' | 'ctimeNs' | 'inode'>;

function stampsIn({ size, mtimeNs, ctimeNs, ino }: BigIntStats): Stamps {
  return { size: Number(size), mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs), inode: String(ino) };
}

/** Whether its times alone show that a file is the one that was read. */
export function isUntouched(before: Identity, now: BigIntStats): boolean {
  return before.settled && hasSameStamps(before, stampsIn(now));
}

/** Whether a file is the one that was read. */
export function isSameFile(path: string, before: Identity, now: Identity): boolean {
  if (!hasSameStamps(before, now)) return false;
  return before.settled || before.content === (now.content ?? contentUpTo(path, now.size));
}

function hasSameStamps(a: Stamps, b: Stamps): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.inode === b.inode;
}

/** What a file begins with: the checksum of its bytes up to a place. */
export type Beginning = { readonly end: number; readonly sum: number };

/** Checksum of all bytes up to `end`: a file that grew may have changed anywhere before. `known` is not read again. */
export function contentUpTo(path: string, end: number, known?: Beginning): number {
  return withFile(path, (file) => checksum(file, end, known));
}

/** Changes whenever one of the files does; files that are not there count as well. */
export function stampsOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? '-' : stampOf(path, stats);
    })
    .join(' ');
}

/** Until a file is settled a change may not show in its times. */
function stampOf(path: string, stats: BigIntStats): string {
  const stamp = `${stats.ino}/${stats.size}/${stats.mtimeNs}/${stats.ctimeNs}`;
  if (!stats.isFile() || isSettled(stats)) return stamp;
  try {
    return `${stamp}/${contentUpTo(path, Number(stats.size))}`;
  } catch {
    return stamp;
  }
}

const buffer = Buffer.allocUnsafeSlow(128 * 1024);

/** A cryptographic hash would take two to three times as long, nearly as long as reading the file again. */
function checksum(file: number, end: number, known: Beginning = { end: 0, sum: 0 }): number {
  let { sum } = known;
  for (let at = known.end; at < end; ) {
    const length = readSync(file, buffer, 0, Math.min(buffer.length, end - at), at);
    if (length === 0) break;
    sum = crc32(buffer.subarray(0, length), sum);
    at += length;
  }
  return sum;
}

/** Size of a file; 0 where it is missing or unreachable, which reading it reports. */
export function bytesOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/**
 * A text that changes with the companion files of a transcript, which affect its score. `source`: the format of its
 * sessions. A file without any may be a database with sessions in its log.
 */
export async function companionsOf(path: string, source: string | undefined): Promise<string> {
  const format = FORMATS.find(({ name }) => name === source);
  const paths = source === undefined ? [`${path}-wal`] : ((await format?.companions?.(path)) ?? []);
  return paths.length === 0 ? '' : `${paths.slice(1).join(' ')} ${stampsOf(paths)}`;
}
