/** A small file beside a transcript. */
import { lstatSync, readFileSync } from 'node:fs';

const MAX_BYTES = 16 * 1024 * 1024;

/** Undefined when it is not there, not JSON, too large, or a link. */
export function jsonBeside(path: string): unknown {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
