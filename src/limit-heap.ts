import { setFlagsFromString } from 'node:v8';

/** So many inputs are measured before it matters, and so many before it matters more than time. */
const MANY = 250;
const VERY_MANY = 5000;

/**
 * Every input that is measured leaves much behind that is garbage at once. V8 answers with ever more space, for young
 * objects up to a hundred megabytes, for old ones several times what is in use. From the 250th input on it makes do with
 * what it has for the young, and lets the old grow by half of what is in use before it collects, from the 5,000th on by a
 * fifth: a tenth more time, and memory that follows what is kept.
 */
export function limitHeap(done: number): void {
  if (done === VERY_MANY) setFlagsFromString('--heap-growing-percent=20');
  if (done !== MANY) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}
