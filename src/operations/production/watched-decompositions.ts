import type { RatedOutput } from '../../decomposition/production/correlations.ts';
import type { WatchedSample } from '../../decomposition/production/production.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import {
  RATED_CONCEPT,
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

export type WatchedRecords = Omit<WatchedSample, 'sampled'> & {
  readonly sampled: readonly (Watched & { readonly record: DecompositionRecord })[];
};

/** Sampled requests with what people said of them; a rating or a thumb may come any time after the request. */
export async function watchedDecompositions(
  { since, until, promptVersion, model }: WatchedRequest,
  store: Store,
): Promise<WatchedRecords> {
  const narrow = { since, until, promptVersion, model };
  const records = await store.readDecompositions({ ...narrow, sampledOnly: true, limit: MOST_SAMPLED });
  const ratings = (kind: string) => store.readRatings({ kind, latest: 'per subject', since });
  const whole = new Map((await ratings(RATED_WHOLE)).map((one) => [one.subjectId, one]));
  const made = Map.groupBy(await ratings(RATED_FABRICATION), ({ subjectId }) => requestOf(subjectId));
  const scores = scoresByOutput(await store.readFeedback({ instrument: 'decomposition', since }));
  const about = await recordsById(store, scores.keys(), narrow);
  return {
    sampled: records.map((record) => {
      const { id, sample, quotes, unmentioned } = record;
      const rating = whole.get(id);
      return {
        record,
        id,
        probability: sample?.probability ?? 1,
        quotes,
        unmentioned,
        acceptable: rating && rating.rating >= 0.5,
        fabricated: rating && fabricatedIn(record, made.get(id) ?? []),
        scores: scores.get(id),
      };
    }),
    said: [...about.keys()].map((id) => ({ id, probability: 1, scores: scores.get(id) ?? [] })),
    isPartial: records.length === MOST_SAMPLED,
  };
}

/** A rater of the whole output looked at every concept: those not marked as made up are not. */
function fabricatedIn({ concepts = 0 }: DecompositionRecord, said: readonly Rating[]): Watched['fabricated'] {
  if (concepts === 0) return undefined;
  const made = said.filter(({ rating }) => rating >= 0.5);
  const named = made.filter(({ subjectId }) => subjectId.includes('#')).length;
  return { concepts, fabricated: Math.min(concepts, Math.max(named, made.length > 0 ? 1 : 0)) };
}

const IDS_PER_QUERY = 500;

/** Records by their ids, in as many queries as that takes. */
export async function recordsById(
  store: Store,
  ids: Iterable<string>,
  narrow: WatchedRequest = {},
): Promise<ReadonlyMap<string, DecompositionRecord>> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, DecompositionRecord>();
  for (let i = 0; i < wanted.length; i += IDS_PER_QUERY) {
    const some = await store.readDecompositions({ ...narrow, ids: wanted.slice(i, i + IDS_PER_QUERY) });
    for (const record of some) found.set(record.id, record);
  }
  return found;
}

/** A thumb up is five stars, one down is one. */
function starsOf({ score, thumb }: Feedback): number | undefined {
  return score ?? (thumb === undefined ? undefined : thumb === 'up' ? 5 : 1);
}

function scoresByOutput(feedback: readonly Feedback[]): ReadonlyMap<string, readonly number[]> {
  const rated = feedback.filter((one) => starsOf(one) !== undefined);
  return new Map(
    [...Map.groupBy(rated, ({ outputId }) => outputId)].map(([id, own]) => [
      id,
      own.map((one) => starsOf(one) ?? 0),
    ]),
  );
}

/** What production itself measures of an output. */
export const PRODUCTION_METRICS = [
  'production/accepted-concepts',
  'production/verified-quotes',
  'production/mentioned-concepts',
  'production/confidence',
  'production/concepts',
  'production/relationships',
  'production/latency',
  'production/cost',
] as const;

/** Outputs with metrics and ratings: production requests, and golden cases whose outputs have feedback. */
export async function ratedOutputs(
  watched: WatchedRecords,
  feedback: readonly Feedback[],
  store: Store,
): Promise<readonly RatedOutput[]> {
  const accepted = await acceptedShares(store);
  const production = watched.sampled.flatMap((one): RatedOutput[] => {
    const satisfaction = satisfactionOf(one.acceptable, one.scores ?? []);
    if (satisfaction === undefined) return [];
    return [{ id: one.id, satisfaction, metrics: metricsOf(one.record, accepted.get(one.id)) }];
  });
  return [...production, ...(await goldenOutputs(feedback, store))];
}

function satisfactionOf(acceptable: boolean | undefined, scores: readonly number[]): number | undefined {
  const parts = [
    ...(acceptable === undefined ? [] : [acceptable ? 1 : 0]),
    ...(scores.length === 0 ? [] : [(scores.reduce((sum, one) => sum + one, 0) / scores.length - 1) / 4]),
  ];
  return parts.length === 0 ? undefined : parts.reduce((sum, one) => sum + one, 0) / parts.length;
}

/** Of the concepts that people rated one by one, those they accept: the nearest to a precision that production has. */
async function acceptedShares(store: Store): Promise<ReadonlyMap<string, number>> {
  const ratings = await store.readRatings({ kind: RATED_CONCEPT, latest: 'per subject' });
  return new Map(
    [...Map.groupBy(ratings, ({ subjectId }) => requestOf(subjectId))].map(([id, own]) => [
      id,
      own.filter(({ rating }) => rating >= 0.5).length / own.length,
    ]),
  );
}

function metricsOf(record: DecompositionRecord, accepted: number | undefined): RatedOutput['metrics'] {
  const { quotes, unmentioned, confidence } = record;
  const values: Readonly<Record<(typeof PRODUCTION_METRICS)[number], number | undefined>> = {
    'production/accepted-concepts': accepted,
    'production/verified-quotes': share(quotes?.verified, quotes?.given),
    'production/mentioned-concepts': share(
      unmentioned && unmentioned.concepts - unmentioned.unmentioned,
      unmentioned?.concepts,
    ),
    'production/confidence': share(confidence?.sum, confidence?.n),
    'production/concepts': record.concepts,
    'production/relationships': record.relationships,
    'production/latency': record.latencyMs,
    'production/cost': record.costUsd,
  };
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}

function share(count: number | undefined, of: number | undefined): number | undefined {
  return count === undefined || of === undefined || of === 0 ? undefined : count / of;
}

/** Feedback names the run and the case: there recall and precision are measured. */
async function goldenOutputs(feedback: readonly Feedback[], store: Store): Promise<RatedOutput[]> {
  const outputs: RatedOutput[] = [];
  const ofRuns = feedback.filter(({ runId, item }) => runId !== undefined && item === undefined);
  for (const [runId = '', said] of Map.groupBy(ofRuns, ({ runId }) => runId)) {
    const run = await store.readRun(runId);
    for (const { caseId, metrics } of run?.cases ?? []) {
      const scores = said.filter(({ outputId }) => outputId === caseId).flatMap((one) => starsOf(one) ?? []);
      const satisfaction = satisfactionOf(undefined, scores);
      if (satisfaction === undefined) continue;
      const measured = Object.entries(metrics).flatMap(([id, one]) =>
        one.measured ? [[id, one.value] as const] : [],
      );
      outputs.push({ id: `${runId}/${caseId}`, satisfaction, metrics: Object.fromEntries(measured) });
    }
  }
  return outputs;
}
