import { closeSync, openSync, writeSync } from 'node:fs';
import { AssayError } from '../errors.ts';

/** A file that somebody asked for by name. */
export function writeResult(path: string, pieces: Iterable<string>): void {
  try {
    const file = openSync(path, 'w');
    try {
      for (const piece of pieces) writeAll(file, Buffer.from(piece));
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, { cause });
  }
}

/** A pipe takes as much as it has room for. */
function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
