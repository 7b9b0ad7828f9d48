import { setFlagsFromString } from 'node:v8';

/** As many sessions as this are scored before it matters. */
const MANY = 500;

/**
 * Every session that is scored leaves much behind that is garbage at once. V8 answers with ever more space for young
 * objects, up to a hundred megabytes; from here on it makes do with what it has, which costs no time that can be
 * measured. Not while threads are reading: the setting is theirs, too.
 */
export function limitHeapGrowth(scored: number): void {
  if (scored === MANY) setFlagsFromString('--semi-space-growth-factor=1');
}
