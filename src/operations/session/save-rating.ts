import type { Rating } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { keepRating } from './keep-rating.ts';

export type SaveRatingRequest = {
  readonly sessionId: string;
  /** Written beside the id, where it is known: no CSV changes it. */
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
  await keepRating(file, { ...record, sessionKey }, record, ports);
  return record;
}
