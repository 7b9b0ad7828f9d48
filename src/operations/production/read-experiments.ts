import type {
  ExperimentStatus,
  KnownExperiment,
} from '../../decomposition/production/experiment/from-ledger.ts';
import {
  type ExperimentReading,
  judgeExperiment,
} from '../../decomposition/production/experiment/judge-experiment.ts';
import type { AbPlan } from '../../decomposition/production/experiment/plan.ts';
import type { Outcome } from '../../decomposition/production/experiment/units.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import { RATED_WHOLE } from '../../decomposition/production/watched.ts';
import type { Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { findExperiment, listExperiments } from './find-experiment.ts';

export type ReadExperimentsRequest = {
  readonly prompts?: string;
  readonly cwd: string;
  /** Only this one. */
  readonly id?: string | undefined;
};

/** Newest first. */
export async function readExperiments(
  { prompts, cwd, id }: ReadExperimentsRequest,
  ports: Ports,
): Promise<readonly ExperimentStatus[]> {
  const folder = { cwd, prompts };
  const asked = id === undefined ? listExperiments(folder) : [findExperiment({ ...folder, id })];
  const store = await ports.store('looking');
  return Promise.all(asked.map(async (one) => ({ ...one, reading: await readingOf(one, store) })));
}

/** What is known of its requests, each by when it became known. */
async function readingOf(
  { plan, startedAt, stopped }: KnownExperiment,
  store: Store,
): Promise<ExperimentReading> {
  const period = { since: startedAt, ...(stopped && { until: stopped.at }) };
  const records = await store.readDecompositions({ ...period, experiment: plan.id });
  const exposures = records.flatMap((record) =>
    record.experiment === undefined ? [] : [{ ...record, experiment: record.experiment }],
  );
  return judgeExperiment(plan, exposures, await outcomesOf(plan, exposures, store, period));
}

type Exposed = DecompositionRecord & { readonly experiment: NonNullable<DecompositionRecord['experiment']> };
type Since = { readonly since: string; readonly until?: string };

async function outcomesOf(
  { primary }: AbPlan,
  exposures: readonly Exposed[],
  store: Store,
  period: Since,
): Promise<Outcome[]> {
  if (primary === 'verified-quotes' || primary === 'confidence') {
    return exposures.flatMap(({ at, quotes, confidence, experiment: { keyHash } }) => {
      const value =
        primary === 'confidence'
          ? share(confidence?.sum, confidence?.n)
          : share(quotes?.verified, quotes?.given);
      return value === undefined ? [] : [{ at, keyHash, value }];
    });
  }
  const keys = new Map(exposures.map(({ id, experiment }) => [id, experiment.keyHash]));
  const said = primary === 'acceptable' ? await ratingsIn(store, period) : await feedbackIn(store, period);
  return said.flatMap(({ id, at, value }) => {
    const keyHash = keys.get(id);
    return keyHash === undefined ? [] : [{ at, keyHash, value }];
  });
}

type Said = { readonly id: string; readonly at: string; readonly value: number };

async function ratingsIn(store: Store, period: Since): Promise<Said[]> {
  const ratings = await store.readRatings({ kind: RATED_WHOLE, ...period });
  return ratings.map(({ subjectId, at, rating }) => ({ id: subjectId, at, value: rating >= 0.5 ? 1 : 0 }));
}

/** Of the whole: one concept that somebody likes says little of the prompt. */
async function feedbackIn(store: Store, period: Since): Promise<Said[]> {
  const feedback = await store.readFeedback({ instrument: 'decomposition', ...period });
  return feedback.flatMap(({ outputId, item, at, thumb, score }) => {
    const value =
      thumb === undefined ? share(score === undefined ? undefined : score - 1, 4) : Number(thumb === 'up');
    return item !== undefined || value === undefined ? [] : [{ id: outputId, at, value }];
  });
}

function share(count: number | undefined, of: number | undefined): number | undefined {
  return count === undefined || of === undefined || of === 0 ? undefined : Math.min(1, count / of);
}
