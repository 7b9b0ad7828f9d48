import type { FileReading } from './evidence.ts';

/** What a file that is no transcript at all is counted under. */
export const NO_TRANSCRIPT = 'not a transcript';

/** How many lines of a file could not be used. */
export function skippedLines(file: FileReading): number {
  return Object.entries(file.skipped).reduce(
    (sum, [reason, { count }]) => (reason === NO_TRANSCRIPT ? sum : sum + count),
    0,
  );
}

/** What hides the rest of a file, or all of it; any other reason is about one line. */
const HIDES_THE_REST: readonly string[] = ['damaged archive', 'damaged database', 'document too large'];

/** Why a file may hold more sessions than were found in it; nothing when it was read to its end. */
export function truncations({ path, skipped }: FileReading): { path: string; why: string }[] {
  return HIDES_THE_REST.filter((reason) => Object.hasOwn(skipped, reason)).map((why) => ({ path, why }));
}
