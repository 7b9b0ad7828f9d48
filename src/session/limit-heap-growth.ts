import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** As many files are read, or sessions scored, as this before it matters; then it is looked at this often. */
const MANY = 250;
/** So much more than what was in use after the last collection is mostly garbage. */
const MAX_GARBAGE_BYTES = 48 * 1024 * 1024;

let inUse = 0;
let collect: (() => void) | undefined;

/**
 * Every file that is read and every session that is scored leaves much behind that is garbage at once. V8 answers with
 * ever more space, for young objects up to a hundred megabytes, for old ones several times what is in use. From here
 * on it makes do with what it has for the young, and the old are collected when there is much to gain: a few times
 * where a hundred thousand files are read.
 */
export function limitHeapGrowth(done: number): void {
  if (done % MANY !== 0) return;
  if (done === MANY) setFlagsFromString('--semi-space-growth-factor=1');
  if (getHeapStatistics().used_heap_size < inUse + MAX_GARBAGE_BYTES) return;
  collect ??= collector();
  collect?.();
  inUse = getHeapStatistics().used_heap_size;
}

/** Undefined where V8 does not give it away. */
function collector(): (() => void) | undefined {
  try {
    setFlagsFromString('--expose-gc');
    const gc: unknown = runInNewContext('gc');
    return typeof gc === 'function' ? () => gc() : undefined;
  } catch {
    return undefined;
  }
}
