import { appendFileSync, closeSync, existsSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { AssayError } from '../../errors.ts';
import { ratingCsv } from '../../session/views/rating-csv.ts';
import type { Rating } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { IN_ITS_FILE, storageFailure } from '../storage-failure.ts';

export type SaveRatingRequest = {
  readonly sessionId: string;
  /** Written next to the id where it is known: CSV tools do not change it. */
  readonly sessionKey?: string | undefined;
  /** Of the session. */
  readonly project?: string | undefined;
  /** 1 (bad) to 5 (excellent). */
  readonly rating: number;
  readonly note?: string;
  readonly author: string;
  /** The CSV file that takes it as well. */
  readonly file: string;
};

/** What a person says of a session. */
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

/** A line of a person's file; without a rating when none could be given. */
export type RatingLine = Pick<Rating, 'subjectId' | 'author' | 'at' | 'note'> & {
  readonly rating?: number | undefined;
  readonly sessionKey?: string | undefined;
};

/** Into the file first, so that nothing said is lost when the store cannot be had. */
export async function writeRating(
  file: string,
  line: RatingLine,
  record: Rating | undefined,
  ports: Ports,
): Promise<void> {
  try {
    append(file, line);
  } catch (error) {
    // What was said, or paid for, is at least in one of the two.
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

/** The first line of a file that is there; how many columns a line of it has is said there. */
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

/** A line that did not fit is taken back: the next one would be written behind its half. */
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
