/** Small files of OpenClaw, read with care: only regular ones, only up to a size, and no error for a bad line. */
import { closeSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** Links are not followed: what lies behind one is not part of the folder that was named. */
export function regularSize(path: string): number | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isFile() ? stats.size : undefined;
  } catch {
    return undefined;
  }
}

/** Changes whenever the file does; empty when there is none. */
export function stampOf(path: string): string {
  try {
    const stats = lstatSync(path, { bigint: true });
    return stats.isFile() ? `${stats.ino}/${stats.size}/${stats.mtimeNs}` : '';
  } catch {
    return '';
  }
}

/** Of a log that is too long the end, where it grows; a document that is too long cannot be read in part. */
export function readRegular(path: string, maxBytes: number): Buffer | undefined {
  const size = regularSize(path);
  if (size === undefined) return undefined;
  try {
    if (size <= maxBytes) return readFileSync(path);
    return path.endsWith('.json') ? undefined : readEnd(path, size, maxBytes);
  } catch {
    return undefined;
  }
}

function readEnd(path: string, size: number, maxBytes: number): Buffer {
  const end = Buffer.alloc(maxBytes);
  const file = openSync(path, 'r');
  try {
    return end.subarray(0, readSync(file, end, 0, maxBytes, size - maxBytes));
  } finally {
    closeSync(file);
  }
}

/** Lines that hold one of the words among their first `within` bytes, parsed. Others are not even looked at. */
export function* parsedLines(file: Buffer, words: readonly string[], within: number): Generator<unknown> {
  for (const line of linesOf(file)) {
    const head = line.toString('latin1', 0, Math.min(line.length, within));
    if (!words.some((word) => head.includes(word))) continue;
    const record = parseJson(line);
    if (record !== undefined) yield record;
  }
}

export function* linesOf(file: Buffer): Generator<Buffer> {
  let from = 0;
  while (from < file.length) {
    const newline = file.indexOf(10, from);
    const end = newline === -1 ? file.length : newline;
    yield file.subarray(from, end);
    from = end + 1;
  }
}

export function parseJson(bytes: Buffer | string | undefined): unknown {
  try {
    return bytes === undefined ? undefined : JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
