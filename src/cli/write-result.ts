import { writeFileSync } from 'node:fs';
import { AssayError } from '../errors.ts';

/** A file that somebody asked for by name. */
export function writeResult(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, { cause });
  }
}
