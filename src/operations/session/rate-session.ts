import type { SessionRow } from '../../store/session-row.ts';
import type { Feedback, Rating } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { findNamed } from './find-session.ts';

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

/** What a person says of a kept session. A thumb is kept beside ratings: it says too little to hold Q against. */
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

/** Its id, or its key where several sessions have that id. */
async function nameOf(
  { sessionId, sessionKey }: SessionRow,
  store: Awaited<ReturnType<Ports['store']>>,
): Promise<string> {
  const namesakes = await store.countSessions({ sessionId });
  return namesakes === 1 ? sessionId : sessionKey;
}
