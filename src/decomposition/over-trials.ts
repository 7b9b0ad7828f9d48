import { type Estimate, estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { meanOverCases, repeatsOf, type Share, shareOf } from '../measure/over-cases.ts';
import { mean } from '../stats/descriptive.ts';
import type { CaseEvidence, TrialEvidence } from './evidence.ts';

type ShareOf = (trial: TrialEvidence) => Share;

/** A share of each trial: averaged over the trials of a case, then over cases, with the pooled share in addition. */
export function shareOverTrials(
  cases: readonly CaseEvidence[],
  share: ShareOf,
  whenEmpty: string,
): Measurement {
  return overTrials(cases, {
    count: (trial) => [share(trial)],
    perTrial: ([one]) => shareOf(one, whenEmpty),
    pooled: ([all]) => ratioOf(all),
  });
}

/** 2 × precision × recall / (precision + recall). Nothing right counts as 0, which is the limit. */
function harmonicMean(precision: number, recall: number): number {
  const sum = precision + recall;
  return sum === 0 ? 0 : (2 * precision * recall) / sum;
}

/** F1 of each trial from its two shares; the two pooled shares give the pooled F1. */
export function f1OverTrials(
  cases: readonly CaseEvidence[],
  precision: { readonly share: ShareOf; readonly whenEmpty: string },
  recall: { readonly share: ShareOf; readonly whenEmpty: string },
): Measurement {
  return overTrials(cases, {
    count: (trial) => [precision.share(trial), recall.share(trial)],
    perTrial: ([correct, complete]) => {
      const right = shareOf(correct, precision.whenEmpty);
      const found = shareOf(complete, recall.whenEmpty);
      if (!right.measured) return right;
      if (!found.measured) return found;
      return estimate(harmonicMean(right.value, found.value), found.n);
    },
    pooled: ([correct, complete]) => {
      const [right, found] = [ratioOf(correct), ratioOf(complete)];
      return right === undefined || found === undefined ? undefined : harmonicMean(right, found);
    },
  });
}

type Shares = readonly [Share, ...Share[]];

/** The counts of a metric per trial, and the values computed from them, per trial and pooled. */
export type Counting<Counts extends Shares> = {
  readonly count: (trial: TrialEvidence) => Counts;
  readonly perTrial: (counts: Counts) => Measurement;
  readonly pooled: (counts: Counts) => number | undefined;
};

/** Counts each trial only once, although both its case and the suite use it. */
export function overTrials<Counts extends Shares>(
  cases: readonly CaseEvidence[],
  { count, perTrial, pooled }: Counting<Counts>,
): Measurement {
  const ofSuite = openSum<Counts>();
  const valuesOf: number[][] = [];
  const measurements = cases.map(({ trials }) => {
    const counts = trials.map(count);
    const ofCase = openSum<Counts>();
    for (const one of counts) {
      ofSuite.add(one);
      if (counts.length > 1) ofCase.add(one);
    }
    const sum = ofCase.sum();
    const each = counts.map(perTrial);
    const values = each.flatMap((one) => (one.measured ? [one.value] : []));
    if (values.length > 0) valuesOf.push(values);
    return meanOfTrials(each, sum && pooled(sum));
  });
  const sum = ofSuite.sum();
  return meanOverCases(measurements, (one) => one, sum && pooled(sum), repeatsOf(valuesOf));
}

function openSum<Counts extends Shares>() {
  const sums: { count: number; of: number }[] = [];
  return {
    add: (counts: Counts) => {
      for (const [i, { count, of }] of counts.entries()) {
        const sum = sums[i];
        if (sum === undefined) sums[i] = { count, of };
        else {
          sum.count += count;
          sum.of += of;
        }
      }
    },
    sum: () => (sums.length === 0 ? undefined : (sums as unknown as Counts)),
  };
}

function ratioOf({ count, of }: Share): number | undefined {
  return of === 0 ? undefined : count / of;
}

/** The mean over the trials of a case; unmeasured trials are counted by reason. */
function meanOfTrials(measurements: readonly Measurement[], pooled: number | undefined): Measurement {
  const [only] = measurements;
  if (only === undefined) return unmeasured('no trials');
  if (measurements.length === 1) return only;
  const measured = measurements.filter((one): one is Estimate => one.measured);
  const reasons = measurements.flatMap((one) => (one.measured ? [] : [one.reason]));
  // Sorted, so that the sum does not depend on the order of the trials.
  const value = mean(measured.map((one) => one.value).sort((a, b) => a - b));
  if (value === undefined) return unmeasured([...new Set(reasons)].join('; '));
  const coverage = mean(measured.flatMap((one) => one.coverage ?? []));
  const repeats = repeatsOf([measured.map((one) => one.value)]);
  return estimate(
    value,
    measured.reduce((sum, one) => sum + one.n, 0),
    {
      ...repeats?.interval,
      ...(pooled !== undefined && { pooled }),
      ...(repeats && { spread: repeats.spread }),
      ...(coverage !== undefined && { coverage }),
      ...(reasons.length > 0 && { skipped: countOf(reasons) }),
    },
  );
}

function countOf(reasons: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(reasons, (one) => one)].map(([why, all]) => [why, all.length]));
}
