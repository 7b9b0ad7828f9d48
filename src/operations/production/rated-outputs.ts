import type { RatedOutput } from '../../decomposition/production/correlations.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import { RATED_CONCEPT, requestOf } from '../../decomposition/production/watched.ts';
import type { Feedback, Store } from '../../store/store.ts';
import type { WatchedRecords } from './watched-decompositions.ts';

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

/** Outputs with metrics and opinions: requests of production, and golden cases whose outputs people spoke of. */
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

/** Feedback names the run and the case: there recall and precision are known. */
async function goldenOutputs(feedback: readonly Feedback[], store: Store): Promise<RatedOutput[]> {
  const outputs: RatedOutput[] = [];
  const ofRuns = feedback.filter(({ runId, item }) => runId !== undefined && item === undefined);
  for (const [runId = '', said] of Map.groupBy(ofRuns, ({ runId }) => runId)) {
    const run = await store.readRun(runId);
    for (const { caseId, metrics } of run?.cases ?? []) {
      const scores = said
        .filter(({ outputId }) => outputId === caseId)
        .flatMap(({ score, thumb }) => score ?? (thumb === undefined ? [] : thumb === 'up' ? 5 : 1));
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
