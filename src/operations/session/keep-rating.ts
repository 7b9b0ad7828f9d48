import { appendFileSync, existsSync, statSync, truncateSync } from 'node:fs';
import { AssayError } from '../../errors.ts';
import { ratingCsv } from '../../session/documents/rating-csv.ts';
import type { Rating } from '../../store/store.ts';
import { IN_ITS_FILE, notKept } from '../not-kept.ts';
import type { Ports } from '../ports.ts';

/** A line of a person's file; without a rating when none could be given. */
export type RatingLine = Pick<Rating, 'subjectId' | 'author' | 'at' | 'note'> & {
  readonly rating?: number | undefined;
};

/** Into the file first, so that nothing said is lost when the store cannot be had. */
export async function keepRating(
  file: string,
  line: RatingLine,
  record: Rating | undefined,
  ports: Ports,
): Promise<void> {
  try {
    append(file, ratingCsv(line, { header: !existsSync(file) }));
  } catch (error) {
    // What was said, or paid for, is at least in one of the two.
    if (record !== undefined) await (await ports.store()).appendRatings([record]);
    throw error;
  }
  if (record === undefined) return;
  try {
    await (await ports.store()).appendRatings([record]);
  } catch (error) {
    ports.notKept(notKept(error, `The rating is in ${file}, but not in the store`, IN_ITS_FILE));
  }
}

/** A line that did not fit is taken back: the next one would be written behind its half. */
function append(file: string, text: string): void {
  const before = statSync(file, { throwIfNoEntry: false })?.size;
  try {
    appendFileSync(file, text);
  } catch (cause) {
    if (before !== undefined && (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > before)
      truncateSync(file, before);
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${file} cannot be written: ${why}`, { cause });
  }
}
