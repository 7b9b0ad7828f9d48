import {
  type RatedPair,
  type RatingValidation,
  validateRatings,
} from '../../session/calibration/validate-ratings.ts';
import { isModelAuthor } from '../../session/model-judge/model-opinion.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type { Rating, SessionSummary, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

/** A rated session: its Q beside what people said of it. */
export type RatedPoint = {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q: number;
  /** Mean of what each rater said last. */
  readonly rating: number;
  readonly raters: number;
};

export type StoredValidation = {
  readonly validation: RatingValidation;
  readonly points: readonly RatedPoint[];
  /** Ratings of sessions that are not kept here, or of a name that several have. */
  readonly unjoined: number;
};

/** Q of kept sessions held against the ratings that people gave and that are kept with them. */
export async function validateStored(ports: Ports): Promise<StoredValidation> {
  const store = await ports.store('looking');
  const said = (await store.readRatings({ kind: 'session', latest: 'per author' })).filter(
    ({ author }) => !isModelAuthor(author),
  );
  const pairs: (RatedPair & { readonly key: string })[] = [];
  const points: RatedPoint[] = [];
  let unjoined = 0;
  for (const [subject, ratings] of Map.groupBy(said, ({ subjectId }) => subjectId)) {
    const row = await sessionNamed(store, subject);
    if (row === undefined) unjoined += ratings.length;
    else {
      pairs.push(...pairsOf(row, ratings));
      if (row.q !== undefined) points.push(pointOf(row, row.q, ratings));
    }
  }
  return { validation: validateRatings(pairs, {}), points, unjoined };
}

async function sessionNamed(store: Store, name: string): Promise<SessionSummary | undefined> {
  const named = (await store.listSessions({ sessionId: name, limit: 2 })).filter(
    ({ sessionId }) => sessionId === name,
  );
  return named.length === 1 ? named[0] : await store.readSession(name);
}

function pairsOf(row: SessionSummary, ratings: readonly Rating[]) {
  const { sessionKey, taskType, q } = row;
  // The scorer wrote the task type.
  return ratings.map(({ rating }) => ({
    key: sessionKey,
    sessionId: sessionKey,
    taskType: taskType as TaskType,
    q,
    rating,
  }));
}

function pointOf(row: SessionSummary, q: number, ratings: readonly Rating[]): RatedPoint {
  const { sessionKey, sessionId, taskType } = row;
  const rating = ratings.reduce((sum, one) => sum + one.rating, 0) / ratings.length;
  return { sessionKey, sessionId, taskType: taskType as TaskType, q, rating, raters: ratings.length };
}
