import { appendFileSync, existsSync } from 'node:fs';
import { AssayError } from '../../errors.ts';
import { ratingCsv } from '../../session/documents/rating-csv.ts';
import type { Rating } from '../../store/store.ts';
import { IN_ITS_FILE, notKept } from '../not-kept.ts';
import type { Ports } from '../ports.ts';

export type SaveRatingRequest = {
  readonly sessionId: string;
  /** 1 (bad) to 5 (excellent). */
  readonly rating: number;
  readonly note?: string;
  readonly author: string;
  /** The CSV file that takes it as well. */
  readonly file: string;
};

/** Into the file first, so that nothing said is lost when the store cannot be had. */
export async function saveRating(request: SaveRatingRequest, ports: Ports): Promise<Rating> {
  const { sessionId, rating, author, file } = request;
  const note = request.note === undefined || request.note === '' ? undefined : request.note;
  const record: Rating = {
    ratingId: ports.newId(),
    kind: 'session',
    subjectId: sessionId,
    author,
    rating,
    ...(note !== undefined && { note }),
    at: ports.now().toISOString(),
  };
  append(file, ratingCsv(record, { header: !existsSync(file) }));
  try {
    await (await ports.store()).appendRatings([record]);
  } catch (error) {
    ports.notKept(notKept(error, `The rating is in ${file}, but not in the store`, IN_ITS_FILE));
  }
  return record;
}

function append(file: string, text: string): void {
  try {
    appendFileSync(file, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${file} cannot be written: ${why}`, { cause });
  }
}
