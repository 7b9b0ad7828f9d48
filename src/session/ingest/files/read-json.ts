/** A small JSON file that belongs to a transcript. */
import { lstatSync, readFileSync } from 'node:fs';

const MAX_BYTES = 16 * 1024 * 1024;

/** Undefined when it is not there, not JSON, too large, or a link. */
export function readJson(path: string, maxBytes = MAX_BYTES): unknown {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
