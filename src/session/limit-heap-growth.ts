import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { openGarbageCollector } from '../limit-heap.ts';

/** It is looked at after so many files that are read, or sessions that are scored. */
const MANY = 50;
/** So much more than what was in use after the last collection is mostly garbage. */
const MAX_GARBAGE_BYTES = 16 * 1024 * 1024;

/** Of transcripts, or of the facts of sessions. */
const MUCH_BYTES = 4 * 1024 * 1024;

/** So much is in use before anything is read or scored: below that and the garbage above it nothing is done. */
let inUse = 24 * 1024 * 1024;
let collect: (() => void) | undefined;

/**
 * Every file that is read and every session that is scored leaves much behind that is garbage at once. V8 answers with
 * ever more space, for young objects up to a hundred megabytes. To be called before the first of them: from then on
 * it makes do with what it has for the young (8 MB after the start), which is as fast and a hundred megabytes less.
 * Not before threads begin to read: they would have to make do with the one megabyte that they begin with. And not for
 * little: code that is loaded later is compiled anew, because what was kept of it was compiled with other flags.
 */
export function keepNurserySmall(bytesToCome: number): void {
  if (bytesToCome >= MUCH_BYTES) setFlagsFromString('--semi-space-growth-factor=1');
}

/** Old objects take several times what is in use: they are collected when there is much to gain. */
export function limitHeapGrowth(done: number): void {
  if (done % MANY !== 0 || getHeapStatistics().used_heap_size < inUse + MAX_GARBAGE_BYTES) return;
  keepNurserySmall(Number.POSITIVE_INFINITY);
  collect ??= openGarbageCollector();
  collect();
  inUse = getHeapStatistics().used_heap_size;
}
