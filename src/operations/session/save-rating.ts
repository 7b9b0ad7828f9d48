import { appendFileSync, closeSync, existsSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { AssayError } from '../../errors.ts';
import { ratingCsv } from '../../session/views/rating-csv.ts';
import type { Rating } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { IN_ITS_FILE, storageFailure } from '../storage-failure.ts';

export type SaveRatingRequest = {
  readonly sessionId: string;
  /** Written next to the id where known: CSV tools do not change it. */
  readonly sessionKey?: string | undefined;
  /** Of the session. */
  readonly project?: string | undefined;
  /** 1 (bad) to 5 (excellent). */
  readonly rating: number;
  readonly note?: string;
  readonly author: string;
  /** The CSV file that also stores it. */
  readonly file: string;
};

/** A user's rating of a session. */
export async function saveRating(request: SaveRatingRequest, ports: Ports): Promise<Rating> {
  const { sessionId, sessionKey, project, rating, author, file } = request;
  const note = request.note === undefined || request.note === '' ? undefined : request.note;
  const record: Rating = {
    ratingId: ports.newId(),
    kind: 'session',
    subjectId: sessionId,
    author,
    rating,
    note,
    at: ports.now().toISOString(),
    project,
  };
  await writeRating(file, { ...record, sessionKey }, record, ports);
  return record;
}

const MAX_HEADER = 4096;

/** A line of the user's file; without a rating when none could be given. */
export type RatingLine = Pick<Rating, 'subjectId' | 'author' | 'at' | 'note'> & {
  readonly rating?: number | undefined;
  readonly sessionKey?: string | undefined;
};

/** The file comes first, so that a rating is not lost when the store is unavailable. */
export async function writeRating(
  file: string,
  line: RatingLine,
  record: Rating | undefined,
  ports: Ports,
): Promise<void> {
  try {
    append(file, line);
  } catch (error) {
    // A rating, which may have cost money, is then in at least one of the two.
    if (record !== undefined) await (await ports.store()).appendRatings([record]);
    throw error;
  }
  if (record === undefined) return;
  try {
    await (await ports.store()).appendRatings([record]);
  } catch (error) {
    ports.reportStorageFailure(
      storageFailure(error, `The rating is in ${file}, but not in the store`, IN_ITS_FILE),
    );
  }
}

/** The header of an existing file; it decides how many columns a line has. */
function headerOf(file: string): string | undefined {
  if (!existsSync(file) || statSync(file).size === 0) return undefined;
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(MAX_HEADER);
    const text = start.toString('utf8', 0, readSync(descriptor, start, 0, MAX_HEADER, 0));
    return text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? '';
  } finally {
    closeSync(descriptor);
  }
}

/** Undoes a partial write: otherwise the next line would be appended to half a line. */
function append(file: string, line: RatingLine): void {
  const before = statSync(file, { throwIfNoEntry: false })?.size;
  try {
    appendFileSync(file, ratingCsv(line, headerOf(file)));
  } catch (cause) {
    if (before !== undefined && (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > before)
      truncateSync(file, before);
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${file} cannot be written: ${why}`, { cause });
  }
}
