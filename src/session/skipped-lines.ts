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
