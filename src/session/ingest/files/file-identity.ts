/** What tells whether a file is still the one that was read, without reading it again. */
import { type BigIntStats, fstatSync, lstatSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { withFile } from './open-input.ts';

export type Identity = {
  readonly size: number;
  /** Nanoseconds, as text: they do not fit a number. */
  readonly mtimeNs: string;
  /** Cannot be set back like the other time: it tells a file that was overwritten in place. */
  readonly ctimeNs: string;
  readonly inode: string;
  /**
   * It had not changed for a while when it was looked at. Clocks of file systems tick slowly: only then does every
   * later change show in its times.
   */
  readonly settled: boolean;
  /** Checksums of the first and of the last bytes. */
  readonly head: number;
  readonly tail: number;
};

const LOOKED_AT_BYTES = 4096;
/** Longer than a file system takes from one tick to the next, the slowest included. */
const SETTLED_MS = 3000n;
/** Places within a file that has grown at which it must be what it was. */
const PROBES = 16;

export function identityOf(path: string): Identity {
  return withFile(path, (file) => {
    const stats = fstatSync(file, { bigint: true });
    const size = Number(stats.size);
    return {
      ...stampsIn(stats),
      settled: BigInt(Date.now()) - later(stats.ctimeMs, stats.mtimeMs) > SETTLED_MS,
      head: checksum(file, 0, Math.min(size, LOOKED_AT_BYTES)),
      tail: checksum(file, Math.max(0, size - LOOKED_AT_BYTES), size),
    };
  });
}

type Stamps = Pick<Identity, 'size' | 'mtimeNs' | 'ctimeNs' | 'inode'>;

function stampsIn({ size, mtimeNs, ctimeNs, ino }: BigIntStats): Stamps {
  return { size: Number(size), mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs), inode: String(ino) };
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Whether its times alone show that a file is the one that was read. */
export function isUntouched(before: Identity, now: BigIntStats): boolean {
  return before.settled && hasSameStamps(before, stampsIn(now));
}

export function isSameFile(a: Identity, b: Identity): boolean {
  return hasSameStamps(a, b) && a.head === b.head && a.tail === b.tail;
}

function hasSameStamps(a: Stamps, b: Stamps): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.inode === b.inode;
}

/** The same text for the same file. */
export function identityText({ size, mtimeNs, ctimeNs, inode, head, tail }: Identity): string {
  return [size, mtimeNs, ctimeNs, inode, head, tail].join(' ');
}

/** A checksum over the first bytes up to `end` at many places: cheap, whatever the length. */
export function probe(path: string, end: number): number {
  return withFile(path, (file) => {
    const step = Math.max(LOOKED_AT_BYTES, Math.floor(end / PROBES));
    let sum = 0;
    for (let at = 0; at < end; at += step) sum = checksum(file, at, Math.min(end, at + LOOKED_AT_BYTES), sum);
    return checksum(file, Math.max(0, end - LOOKED_AT_BYTES), end, sum);
  });
}

/** Changes whenever one of the files does; files that are not there count as well. */
export function stampsOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? '-' : `${stats.ino}/${stats.size}/${stats.mtimeNs}`;
    })
    .join(' ');
}

const buffer = Buffer.allocUnsafeSlow(LOOKED_AT_BYTES);

function checksum(file: number, start: number, end: number, before = 0): number {
  const length = readSync(file, buffer, 0, end - start, start);
  return crc32(buffer.subarray(0, length), before);
}
