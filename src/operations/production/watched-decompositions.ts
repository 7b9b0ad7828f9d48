import type { RatedOutput } from '../../decomposition/production/correlations.ts';
import { RATING_KINDS, type RatedRequest, ratedRequests } from '../../decomposition/production/opinions.ts';
import type { WatchedSample } from '../../decomposition/production/production.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import type { Watched } from '../../decomposition/production/watched.ts';
import type { Feedback, Period, Store } from '../../store/store.ts';

/** So many sampled requests are looked at, the latest: a week of 5% of a million. */
const MOST_SAMPLED = 50_000;

export type WatchedRequest = Period & {
  readonly promptVersion?: string | undefined;
  readonly model?: string | undefined;
};

type WatchedRequestRecord = Watched & { readonly record: DecompositionRecord };

export type WatchedRecords = {
  readonly [Key in keyof WatchedSample]: WatchedSample[Key] extends readonly Watched[]
    ? readonly WatchedRequestRecord[]
    : WatchedSample[Key];
};

/** Sampled requests with what people said of them; a rating or a thumb may come any time after the request. */
export async function watchedDecompositions(
  { since, until, promptVersion, model }: WatchedRequest,
  store: Store,
): Promise<WatchedRecords> {
  const narrow = { since, until, promptVersion, model };
  const records = await store.readDecompositions({ ...narrow, sampledOnly: true, limit: MOST_SAMPLED });
  const scores = scoresByOutput(await store.readFeedback({ instrument: 'decomposition', since }));
  const about = await recordsById(store, scores.keys(), narrow);
  const known = new Map([...about, ...records.map((record) => [record.id, record] as const)]);
  const rated = ratedRequests(await opinionsSince(store, since), (id) => known.get(id)?.concepts);
  const watched = (record: DecompositionRecord) => {
    const { id, sample, quotes, unmentioned } = record;
    const probability = sample?.probability ?? 1;
    return { record, id, probability, quotes, unmentioned, rated: rated.get(id), scores: scores.get(id) };
  };
  return {
    sampled: records.map(watched),
    said: [...about.values()].map((record) => ({ ...watched(record), probability: 1 })),
    isPartial: records.length === MOST_SAMPLED,
  };
}

/** The last word of each rater on each request and each concept. */
async function opinionsSince(store: Store, since: string | undefined) {
  const kinds = RATING_KINDS.map((kind) => store.readRatings({ kind, latest: true, since }));
  return (await Promise.all(kinds)).flat();
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

/** What production itself measures of an output: the first six of every request, the others of sampled ones. */
export const PRODUCTION_METRICS = [
  'production/confidence',
  'production/concepts',
  'production/relationships',
  'production/quoted-concepts',
  'production/latency',
  'production/cost',
  'production/verified-quotes',
  'production/mentioned-concepts',
  'production/accepted-concepts',
  'production/found-concepts',
  'production/made-up-concepts',
] as const;

/** Outputs with metrics and ratings: production requests, sampled or not, and golden cases whose outputs have feedback. */
export async function ratedOutputs(
  { sampled, said }: WatchedRecords,
  feedback: readonly Feedback[],
  store: Store,
): Promise<readonly RatedOutput[]> {
  const all = new Map([...said, ...sampled].map((one) => [one.id, one]));
  const production = [...all.values()].flatMap((one): RatedOutput[] => {
    const satisfaction = satisfactionOf(one.rated?.acceptable, one.scores ?? []);
    if (satisfaction === undefined) return [];
    return [{ id: one.id, satisfaction, metrics: metricsOf(one.record, one.rated) }];
  });
  return [...production, ...(await goldenOutputs(feedback, store))];
}

function satisfactionOf(acceptable: number | undefined, scores: readonly number[]): number | undefined {
  const parts = [
    ...(acceptable === undefined ? [] : [acceptable]),
    ...(scores.length === 0 ? [] : [(scores.reduce((sum, one) => sum + one, 0) / scores.length - 1) / 4]),
  ];
  return parts.length === 0 ? undefined : parts.reduce((sum, one) => sum + one, 0) / parts.length;
}

function metricsOf(record: DecompositionRecord, rated: RatedRequest | undefined): RatedOutput['metrics'] {
  const { quotes, unmentioned, confidence, concepts } = record;
  const { precision, recall, fabricated } = rated ?? {};
  const values: Readonly<Record<(typeof PRODUCTION_METRICS)[number], number | undefined>> = {
    'production/confidence': share(confidence?.sum, confidence?.n),
    'production/concepts': concepts,
    'production/relationships': record.relationships,
    'production/quoted-concepts': share(record.quoted, concepts),
    'production/latency': record.latencyMs,
    'production/cost': record.costUsd,
    'production/verified-quotes': share(quotes?.verified, quotes?.given),
    'production/mentioned-concepts': share(
      unmentioned && unmentioned.concepts - unmentioned.unmentioned,
      unmentioned?.concepts,
    ),
    'production/accepted-concepts': share(precision?.right, precision?.of),
    'production/found-concepts': share(recall?.right, recall?.of),
    'production/made-up-concepts': share(fabricated?.fabricated, fabricated?.concepts),
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
