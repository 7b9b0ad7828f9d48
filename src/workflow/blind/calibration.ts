/** Step 4, predictions: did the errors that were predicted to be caught turn out to be caught? */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { brier } from '../../stats/brier.ts';
import { wilson } from '../../stats/wilson.ts';
import { resolveLabels } from '../agreement.ts';
import { type Material, occurrences } from './material.ts';
import { type Evaluator, labelsOf, type State } from './protocol.ts';

/** What a prediction means as a probability. */
const PROBABILITY = { YES: 1, MAYBE: 0.5, NO: 0 } as const;
export type Forecast = keyof typeof PROBABILITY;
const FORECASTS = ['YES', 'MAYBE', 'NO'] as const satisfies readonly Forecast[];

/** `undecided`: only disputed or unresolved findings could be it. */
export type Detection = 'detected' | 'missed' | 'undecided';

export type Calibration = {
  /** YES counts as 1, MAYBE as 0.5, NO as 0; always saying MAYBE scores 0.25. */
  readonly brier: Measurement;
  readonly groups: readonly {
    readonly prediction: Forecast;
    readonly n: number;
    readonly detected: number;
    readonly share: Measurement;
  }[];
  readonly cannotTell: number;
  /** Predicted errors left out because nobody can say yet whether they were detected. */
  readonly undecided: number;
  /** Wrong in one direction beyond what chance explains. */
  readonly systematic: readonly string[];
};

/**
 * An error is detected when more than half of the runs have a finding that the final labels match to it, fully or in
 * part. Partial ones count because the question is whether the review catches the error at all.
 */
export function detections({ truth, findings, runs }: Material, state: State): Map<string, Detection> {
  const labelled = findings.flatMap((one) => {
    const resolved = resolveLabels(labelsOf(state, one.id));
    return occurrences(one).map(({ run }) => ({ run, ...resolved }));
  });
  return new Map(
    truth.errors.map(({ id }) => {
      const names = (label: { match: string; error?: string } | undefined) =>
        label?.error === id && (label.match === 'Y' || label.match === 'P');
      const sure = new Set(labelled.filter(({ decision }) => names(decision)).map(({ run }) => run));
      const possible = new Set(
        labelled.filter(({ disputed, labels }) => disputed && labels.some(names)).map(({ run }) => run),
      );
      if (sure.size * 2 > runs.length) return [id, 'detected'];
      return [id, new Set([...sure, ...possible]).size * 2 > runs.length ? 'undecided' : 'missed'];
    }),
  );
}

export function calibrate(
  { predict }: Pick<Evaluator, 'predict'>,
  outcome: ReadonlyMap<string, Detection>,
): Calibration {
  const all = [...predict.values()];
  const forecasts = all.flatMap(({ error, prediction }) =>
    prediction === 'CANNOT_TELL' ? [] : [{ prediction, outcome: outcome.get(error) }],
  );
  const decided = forecasts.filter((one) => one.outcome !== undefined && one.outcome !== 'undecided');
  const groups = FORECASTS.map((prediction) => {
    const own = decided.filter((one) => one.prediction === prediction);
    const detected = own.filter((one) => one.outcome === 'detected').length;
    return { prediction, n: own.length, detected, share: shareOf(detected, own.length) };
  });
  const score = brier(
    decided.map(({ prediction }) => PROBABILITY[prediction]),
    decided.map((one) => one.outcome === 'detected'),
  );
  return {
    brier:
      score === undefined
        ? unmeasured('no prediction can be held against an outcome')
        : estimate(score, decided.length),
    groups,
    cannotTell: all.length - forecasts.length,
    undecided: forecasts.length - decided.length,
    systematic: systematicErrors(groups),
  };
}

function shareOf(k: number, n: number): Measurement {
  return n === 0 ? unmeasured('no such prediction') : estimate(k / n, n, wilson(k, n));
}

/** The interval must lie on the wrong side of a half: a few wrong predictions are not a pattern. */
function systematicErrors(groups: Calibration['groups']): string[] {
  return groups.flatMap(({ prediction, n, detected, share }) => {
    if (!share.measured || share.low === undefined || share.high === undefined) return [];
    if (prediction === 'YES' && share.high < 0.5)
      return [`said YES to ${n} errors of which ${detected} were detected`];
    if (prediction === 'NO' && share.low > 0.5)
      return [`said NO to ${n} errors of which ${detected} were detected`];
    return [];
  });
}
