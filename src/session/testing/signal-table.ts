/** How well each signal, each category and Q separate success from failure by themselves. */
import type { Measurement } from '../../measure/metric.ts';
import { stratum } from '../calibration/compare-scores.ts';
import { runWeights } from '../calibration/dataset.ts';
import { settled } from '../calibration/q-model.ts';
import { aucMeasurement, isDecided, isSuccess } from '../calibration/validate-outcomes.ts';
import type { SessionFacts } from '../evidence.ts';
import type { ScoredRun } from '../score.ts';
import type { ScoredSession } from '../score-session.ts';
import { CATEGORIES, SIGNALS } from '../signals/catalog.ts';

type ScoredOutcome = {
  readonly facts: SessionFacts;
  /** Scored without the joined outcome. */
  readonly scored: ScoredSession;
  readonly outcome: number;
  readonly source: string;
};

type SignalRow = {
  readonly id: string;
  readonly kind: 'score' | 'category' | 'signal';
  /** Over all sessions it was measured in, with DeLong's interval. */
  readonly auc: Measurement;
  /** Mean of the sources' areas (van Elteren's weights); absent when no source has both classes. */
  readonly withinSources?: number;
  /** Share of sessions it was measured in. */
  readonly measured: number;
  /** Share of those with the most frequent value: near 1 it cannot separate anything. */
  readonly sameValue: number;
};

type Point = { readonly value: number; readonly success: boolean; readonly source: string };

export function signalTable(sessions: readonly ScoredOutcome[]): SignalRow[] {
  const decided = sessions.filter((one) => isDecided(one.outcome));
  const row = (id: string, kind: SignalRow['kind'], read: (one: ScoredOutcome) => number | undefined) =>
    rowOf(id, kind, decided, read);
  return [
    row('q', 'score', ({ scored }) => scored.q),
    ...CATEGORIES.map((category) => row(category, 'category', ({ scored }) => scored.categories[category])),
    ...SIGNALS.map(({ id, category }) =>
      row(id, 'signal', (one) =>
        overRuns(one, (run) => {
          const reading = run.categories[category].signals.find((signal) => signal.id === id)?.reading;
          return reading?.measured ? reading.value : undefined;
        }),
      ),
    ),
  ];
}

function rowOf(
  id: string,
  kind: SignalRow['kind'],
  sessions: readonly ScoredOutcome[],
  read: (one: ScoredOutcome) => number | undefined,
): SignalRow {
  const points = sessions.flatMap((one): Point[] => {
    const value = read(one);
    return value === undefined ? [] : [{ value, success: isSuccess(one.outcome), source: one.source }];
  });
  const within = withinSources(points);
  return {
    id,
    kind,
    auc: aucMeasurement(
      points.map((point) => point.value),
      points.map((point) => point.success),
    ),
    withinSources: within,
    measured: sessions.length === 0 ? 0 : points.length / sessions.length,
    sameValue: points.length === 0 ? 1 : commonest(points) / points.length,
  };
}

function withinSources(points: readonly Point[]): number | undefined {
  const strata = [...Map.groupBy(points, (point) => point.source).values()].map((own) =>
    stratum(
      settled(Float64Array.from(own, (point) => point.value)),
      own.map((point) => point.success),
    ),
  );
  const total = strata.reduce((sum, one) => sum + one.weight, 0);
  return total === 0 ? undefined : strata.reduce((sum, one) => sum + one.weight * one.auc, 0) / total;
}

function commonest(points: readonly Point[]): number {
  return [...Map.groupBy(points, (point) => point.value).values()].reduce(
    (most, own) => Math.max(most, own.length),
    0,
  );
}

/** The mean over the runs that count, as the session's own Q is one. */
function overRuns(
  { facts, scored }: ScoredOutcome,
  read: (run: ScoredRun) => number | undefined,
): number | undefined {
  const weights = runWeights(facts, scored);
  let sum = 0;
  let total = 0;
  scored.runs.forEach((run, i) => {
    const value = read(run);
    if (value === undefined) return;
    sum += (weights[i] ?? 0) * value;
    total += weights[i] ?? 0;
  });
  return total === 0 ? undefined : sum / total;
}
