/**
 * Lines of files as short numbers: what is kept of them, and what they are compared by. White space does not count, so
 * that a formatter changes nothing. The name of the file is the salt: the same line in a file of another name is another
 * number, and no table of common lines fits them. 48 bits: six bytes each.
 */

/** A line that has less than this (a brace, `else`, a blank) says nothing about who wrote it. */
const LEAST_CHARS = 7;
const LEAST_WORD_CHARS = 4;
/** From so many letters and digits on, a line is unlikely to be written twice by chance. */
const DISTINCT_WORD_CHARS = 12;
/** Of longer lines (minified code, data) only the beginning is looked at. */
const MAX_CHARS = 4_096;
const SPACE = 0x20;

const HIGH = 0x1_0000_0000;

/** A line as a number, and how much it says about who wrote it: 0–1. */
export type HashedLine = { readonly hash: number; readonly weight: number };

/** Undefined for a line that says nothing. */
export function hashLine(line: string, salt: number, from = 0): HashedLine | undefined {
  let high = 0x2545f491 ^ salt;
  let low = 0x1b873593 ^ salt;
  let chars = 0;
  let words = 0;
  const end = Math.min(line.length, from + MAX_CHARS);
  for (let i = from; i < end; i += 1) {
    const code = line.charCodeAt(i);
    if (code <= SPACE || code === 0xa0) continue;
    chars += 1;
    if (isWordCode(code)) words += 1;
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5bd1e995);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  if (chars < LEAST_CHARS || words < LEAST_WORD_CHARS) return undefined;
  return {
    hash: (high & 0xffff) * HIGH + (low >>> 0),
    weight: Math.min(1, words / DISTINCT_WORD_CHARS),
  };
}

function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code > 0xbf
  );
}

/** So many last parts of a path tell files apart. */
const MAX_DEPTH = 6;

/**
 * A path as numbers: of its last part, its last two and so on. Two paths may be the same file if the longest ends that both
 * have are equal, wherever the folders stand.
 */
export function pathEnds(path: string): number[] {
  return endsFrom(0x811c9dc5, path, MAX_DEPTH);
}

/** From the last part of the path on; parts that are empty or `.` are none. */
function endsFrom(start: number, path: string, most: number): number[] {
  const ends: number[] = [];
  let hash = start;
  for (let end = path.length; end > 0 && ends.length < most; ) {
    const from = Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1)) + 1;
    if (from < end && !(from === end - 1 && path[from] === '.')) {
      for (let i = from; i < end; i += 1) hash = Math.imul(hash ^ path.charCodeAt(i), 0x01000193);
      hash = Math.imul(hash ^ 0x2f, 0x01000193);
      hash ^= hash >>> 15;
      ends.push(hash >>> 0);
    }
    end = from - 1;
  }
  return ends;
}

/** Whether a path may lead through a folder: some end of it goes on with the whole path of that folder. */
export function isBelow(ends: readonly number[], folder: string): boolean {
  return ends.some((end, at) => {
    const above = endsFrom(end | 0, folder, Number.POSITIVE_INFINITY);
    return above.length > 0 && ends[at + above.length] === above.at(-1);
  });
}

/** How many last parts two paths have in common, when they may be the same file; else 0. */
export function commonEnd(one: readonly number[], other: readonly number[]): number {
  const depth = Math.min(one.length, other.length);
  return depth > 0 && one[depth - 1] === other[depth - 1] ? depth : 0;
}

const BYTES = 6;

/** Numbers of 48 bits as text. */
export function packHashes(hashes: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(hashes.length * BYTES);
  hashes.forEach((hash, i) => {
    bytes.writeUIntBE(hash, i * BYTES, BYTES);
  });
  return bytes.toString('base64');
}

export function unpackHashes(text: string | undefined): number[] {
  if (text === undefined) return [];
  const bytes = Buffer.from(text, 'base64');
  const hashes: number[] = [];
  for (let at = 0; at + BYTES <= bytes.length; at += BYTES) hashes.push(bytes.readUIntBE(at, BYTES));
  return hashes;
}
