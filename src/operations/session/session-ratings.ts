import type { SessionRow } from '../../store/schema/session.ts';
import type { Feedback, Position, Rating } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { findNamed } from './find-session.ts';

export type RatingsRequest = {
  readonly author?: string | undefined;
  readonly limit: number;
  readonly after?: Position | undefined;
};

export type RatingsPage = { readonly ratings: readonly Rating[]; readonly next?: Position };

/** Ratings of sessions, newest first. */
export async function listRatings(
  { author, limit, after }: RatingsRequest,
  ports: Ports,
): Promise<RatingsPage> {
  const store = await ports.store('looking');
  const found = await store.readRatings({
    kind: 'session',
    order: 'newest',
    limit: limit + 1,
    author,
    after,
  });
  const ratings = found.slice(0, limit);
  const last = found.length > limit ? ratings.at(-1) : undefined;
  return { ratings, ...(last && { next: { at: last.at, key: last.ratingId } }) };
}

export type SessionOpinions = { readonly ratings: readonly Rating[]; readonly feedback: readonly Feedback[] };

/** Ratings of one session, newest first. */
export async function ratingsOf({ id }: { readonly id: string }, ports: Ports): Promise<SessionOpinions> {
  const store = await ports.store('looking');
  const row = await findNamed(store, id);
  const { sessionId, sessionKey } = row;
  const isOnly = (await store.countSessions({ sessionId })) === 1;
  const names = isOnly && sessionId !== sessionKey ? [sessionKey, sessionId] : [sessionKey];
  const ratings: Rating[] = [];
  for (const subjectId of names) ratings.push(...(await store.readRatings({ kind: 'session', subjectId })));
  const feedback = await store.readFeedback({ instrument: 'session', outputId: sessionKey, order: 'newest' });
  return { ratings: ratings.toSorted((a, b) => (a.at < b.at ? 1 : -1)), feedback };
}

/** At least one of `rating` and `thumb`. */
export type RateRequest = {
  readonly id: string;
  /** 1 (bad) to 5 (excellent). */
  readonly rating?: number | undefined;
  readonly thumb?: 'up' | 'down' | undefined;
  readonly note?: string | undefined;
};

export type RatedSession = {
  readonly row: SessionRow;
  readonly rating?: Rating;
  readonly feedback?: Feedback;
};

/** A user's rating of a stored session. A thumb is stored apart from ratings: it is too coarse to validate Q. */
export async function rateSession(
  { id, rating, thumb, note }: RateRequest,
  ports: Ports,
): Promise<RatedSession> {
  const store = await ports.store();
  const row = await findNamed(store, id);
  const said = {
    author: ports.identity(),
    at: ports.now().toISOString(),
    project: row.project,
  };
  const feedback: Feedback | undefined = thumb && {
    feedbackId: ports.newId(),
    instrument: 'session',
    outputId: row.sessionKey,
    thumb,
    ...(note && { comment: note }),
    ...said,
  };
  const record: Rating | undefined =
    rating === undefined
      ? undefined
      : {
          ratingId: ports.newId(),
          kind: 'session',
          subjectId: await nameOf(row, store),
          rating,
          ...(note && { note }),
          ...said,
        };
  if (record !== undefined) await store.appendRatings([record]);
  if (feedback !== undefined) await store.appendFeedback([feedback]);
  return { row, ...(record && { rating: record }), ...(feedback && { feedback }) };
}

/** Its id, or its key when several sessions have that id. */
async function nameOf(
  { sessionId, sessionKey }: SessionRow,
  store: Awaited<ReturnType<Ports['store']>>,
): Promise<string> {
  const namesakes = await store.countSessions({ sessionId });
  return namesakes === 1 ? sessionId : sessionKey;
}
