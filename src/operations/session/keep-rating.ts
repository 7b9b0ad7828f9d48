import { appendFileSync, existsSync } from 'node:fs';
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
  append(file, ratingCsv(line, { header: !existsSync(file) }));
  if (record === undefined) return;
  try {
    await (await ports.store()).appendRatings([record]);
  } catch (error) {
    ports.notKept(notKept(error, `The rating is in ${file}, but not in the store`, IN_ITS_FILE));
  }
}

function append(file: string, text: string): void {
  try {
    appendFileSync(file, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${file} cannot be written: ${why}`, { cause });
  }
}
