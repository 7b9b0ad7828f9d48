import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So many inputs are measured before it matters, and so many before it matters more than time. */
const MANY = 50;
const VERY_MANY = 5000;

/**
 * Every input that is measured leaves much behind that is garbage at once. V8 answers with ever more space, for young
 * objects up to a hundred megabytes, for old ones several times what is in use. From the 50th input on it makes do with
 * what it has for the young, and lets the old grow by half of what is in use before it collects, from the 5,000th on by a
 * fifth. It collects in threads of its own while the work goes on, and quick work leaves more behind in that time than all
 * that is kept: so every 50 inputs what was left behind is looked at, and waited for where it is much.
 */
export function limitHeap(done: number): void {
  if (done === VERY_MANY) setFlagsFromString('--heap-growing-percent=20');
  if (done === MANY) {
    setFlagsFromString('--semi-space-growth-factor=1');
    setFlagsFromString('--heap-growing-percent=50');
  }
  if (done % MANY === 0) releaseGarbage();
}

/** What is left behind may take so much room, and below so much in all nobody needs to care. */
const SPARE = 24 << 20;
const LEAST = 48 << 20;

let collect: (() => void) | undefined;
let kept = 0;

/** Collects what was left behind once that is much: also for whoever writes thousands of rows. */
export function releaseGarbage(): void {
  if (heldLong() < Math.max(LEAST, kept + SPARE)) return;
  collect ??= openGarbageCollector();
  collect();
  kept = heldLong();
}

/** Young objects have a room of a fixed size. */
function heldLong(): number {
  let bytes = 0;
  for (const { space_name, space_used_size } of getHeapSpaceStatistics())
    if (!space_name.startsWith('new_')) bytes += space_used_size;
  return bytes;
}

/** Does nothing where V8 does not give it away. */
export function openGarbageCollector(): () => void {
  try {
    setFlagsFromString('--expose-gc');
    // Only a context that is made after the flag has it.
    const gc: unknown = runInNewContext('gc');
    return typeof gc === 'function' ? () => gc() : () => {};
  } catch {
    return () => {};
  }
}
