import type { WatchedSample } from '../../decomposition/production/production.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import {
  RATED_FABRICATION,
  RATED_WHOLE,
  requestOf,
  type Watched,
} from '../../decomposition/production/watched.ts';
import type { Feedback, Period, Rating, Store } from '../../store/store.ts';

/** So many sampled requests are looked at, the latest: a week of 5% of a million. */
const MOST_SAMPLED = 50_000;

export type WatchedRequest = Period & {
  readonly promptVersion?: string | undefined;
  readonly model?: string | undefined;
};

/** Each sampled request with its record. */
export type WatchedRecords = Omit<WatchedSample, 'sampled'> & {
  readonly sampled: readonly (Watched & { readonly record: DecompositionRecord })[];
};

/** Sampled requests with what people said of them; a rating or a thumb may come any time after the request. */
export async function watchedDecompositions(
  { since, until, promptVersion, model }: WatchedRequest,
  store: Store,
): Promise<WatchedRecords> {
  const period = { since, until };
  const narrow = {
    promptVersion,
    model,
  };
  const records = await store.readDecompositions({
    ...period,
    ...narrow,
    sampledOnly: true,
    limit: MOST_SAMPLED,
  });
  const later = since === undefined ? {} : { since };
  const whole = bySubject(await store.readRatings({ kind: RATED_WHOLE, latest: 'per subject', ...later }));
  const made = byRequest(
    await store.readRatings({ kind: RATED_FABRICATION, latest: 'per subject', ...later }),
  );
  const feedback = await store.readFeedback({ instrument: 'decomposition', ...later });
  const scores = scoresByOutput(feedback);
  const about: DecompositionRecord[] = [];
  for (const ids of inParts([...scores.keys()]))
    about.push(...(await store.readDecompositions({ ...period, ...narrow, ids })));
  return {
    sampled: records.map((record) => ({
      record,
      ...watchedOf(
        record,
        whole.get(record.id),
        whole.has(record.id) ? fabricatedIn(record, made.get(record.id) ?? []) : undefined,
      ),
      ...(scores.has(record.id) && { scores: scores.get(record.id) ?? [] }),
    })),
    said: about.map(({ id }) => ({ id, probability: 1, scores: scores.get(id) ?? [] })),
    isPartial: records.length === MOST_SAMPLED,
  };
}

function watchedOf(
  { id, sample, quotes, unmentioned }: DecompositionRecord,
  rating: Rating | undefined,
  fabricated: Watched['fabricated'],
): Watched {
  return {
    id,
    probability: sample?.probability ?? 1,
    ...(quotes && { quotes }),
    ...(unmentioned && { unmentioned }),
    ...(rating && { acceptable: rating.rating >= 0.5 }),
    ...(fabricated && { fabricated }),
  };
}

/** Who rated the whole looked at every concept: those that nobody calls made up are not. */
function fabricatedIn({ concepts = 0 }: DecompositionRecord, said: readonly Rating[]): Watched['fabricated'] {
  if (concepts === 0) return undefined;
  const made = said.filter(({ rating }) => rating >= 0.5);
  const named = made.filter(({ subjectId }) => subjectId.includes('#')).length;
  return { concepts, fabricated: Math.min(concepts, Math.max(named, made.length > 0 ? 1 : 0)) };
}

/** By the id of the request, whether it was said of the whole or of one concept. */
function byRequest(ratings: readonly Rating[]): ReadonlyMap<string, readonly Rating[]> {
  return Map.groupBy(ratings, ({ subjectId }) => requestOf(subjectId));
}

function bySubject(ratings: readonly Rating[]): ReadonlyMap<string, Rating> {
  return new Map(ratings.map((one) => [one.subjectId, one]));
}

/** A query names so many ids at once. */
const IDS_AT_ONCE = 500;

function* inParts(ids: readonly string[]): Generator<readonly string[]> {
  for (let i = 0; i < ids.length; i += IDS_AT_ONCE) yield ids.slice(i, i + IDS_AT_ONCE);
}

/** A thumb up is five stars, one down is one. */
function scoresByOutput(feedback: readonly Feedback[]): ReadonlyMap<string, readonly number[]> {
  const scores = new Map<string, number[]>();
  for (const { outputId, score, thumb } of feedback) {
    const value = score ?? (thumb === undefined ? undefined : thumb === 'up' ? 5 : 1);
    if (value === undefined) continue;
    const known = scores.get(outputId);
    if (known === undefined) scores.set(outputId, [value]);
    else known.push(value);
  }
  return scores;
}
