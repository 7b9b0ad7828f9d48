import type { FileReading } from './evidence.ts';

/** The skip reason for a file that is not a transcript. */
export const NO_TRANSCRIPT = 'not a transcript';

/** How many lines of a file were skipped. */
export function skippedLines(file: FileReading): number {
  return Object.entries(file.skipped).reduce(
    (sum, [reason, { count }]) => (reason === NO_TRANSCRIPT ? sum : sum + count),
    0,
  );
}

/** Reasons that hide the rest of a file, or all of it; any other reason is about one line. */
const HIDES_THE_REST: readonly string[] = ['damaged archive', 'damaged database', 'document too large'];

/** Why a file may contain more sessions than Assay found; empty when it was read to its end. */
export function truncations({ path, skipped }: FileReading): { path: string; why: string }[] {
  return HIDES_THE_REST.filter((reason) => Object.hasOwn(skipped, reason)).map((why) => ({ path, why }));
}
