/** Pairs the same errors under two workflows: how much more often does the candidate find each one? */

import { mean } from '../../stats/descriptive.ts';
import { studentTQuantile } from '../../stats/distributions.ts';
import { signFlipInterval } from '../../stats/sign-flip.ts';
import type { Welch } from '../../stats/welch.ts';
import { pointsOf } from '../counts.ts';
import type { ErrorOutcome, RunEvidence } from '../evidence.ts';
import { clusterErrors } from '../same-tasks.ts';

export type PairedError = ReturnType<typeof pairErrors>[number];
export type PairedTest = NonNullable<ReturnType<typeof pairedTest>>;

/** The weight of each error in a metric that is a mean over errors; undefined for other metrics. */
export function errorWeight(key: string): ((error: ErrorOutcome) => number) | undefined {
  if (key === 'dr') return () => 1;
  if (key === 'wds') return pointsOf;
  const [, severity] = /^dr_(critical|important|minor)$/.exec(key) ?? [];
  return severity === undefined ? undefined : (error) => (error.severity === severity.toUpperCase() ? 1 : 0);
}

/** Errors of the tasks that both sides reviewed, without those of weight 0. */
export function pairErrors(
  before: readonly RunEvidence[],
  after: readonly RunEvidence[],
  weight: (error: ErrorOutcome) => number,
) {
  const [first, second] = [creditsOf(before), creditsOf(after)];
  return [...first].flatMap(([key, one]) => {
    const other = second.get(key);
    const counts = weight(one.error);
    if (other === undefined || counts === 0) return [];
    return {
      task: one.task,
      id: one.error.id,
      document: one.error.document,
      likeness: one.error.likeness,
      severity: one.error.severity,
      // Mean credit over the runs of each side.
      before: mean(one.credits) as number,
      after: mean(other.credits) as number,
      weight: counts,
      creditsBefore: one.credits,
      creditsAfter: other.credits,
      foundBefore: isUsuallyFound(one.credits),
      foundAfter: isUsuallyFound(other.credits),
    };
  });
}

function creditsOf(runs: readonly RunEvidence[]) {
  const outcomes = runs.flatMap(({ task, errors }) => errors.map((error) => ({ task, error })));
  const groups = Map.groupBy(outcomes, ({ task, error }) => JSON.stringify([task, error.id]));
  return new Map(
    [...groups].flatMap(([key, own]) =>
      own.slice(0, 1).map((one) => [key, { ...one, credits: own.map(({ error }) => error.credit) }] as const),
    ),
  );
}

/** In more than half of the runs. */
function isUsuallyFound(credits: readonly number[]): boolean {
  return credits.filter((credit) => credit > 0).length * 2 > credits.length;
}

/** Five units have 32 sign combinations, so the smallest two-sided p is 0.0625. */
export const UNITS_NEEDED = 6;

const ALPHA = 0.05;

/** The paired per-error difference with its sign-flip test and the matching confidence interval. */
export function pairedTest(errors: readonly PairedError[]) {
  const total = errors.reduce((sum, { weight }) => sum + weight, 0);
  const differences = errors.map(({ before, after }) => 100 * (after - before));
  const { clusters, by } = clusterErrors(errors);
  const weights = errors.map(({ weight }) => weight);
  const test = signFlipInterval(differences, { clusters, weights, alpha: ALPHA });
  if (test === undefined) return undefined;
  const over = (side: (error: PairedError) => number) =>
    (100 * errors.reduce((sum, error) => sum + side(error) * error.weight, 0)) / total;
  const interval = unlikeTheRest(differences, clusters) >= UNITS_NEEDED ? test.interval : undefined;
  return {
    before: over(({ before }) => before),
    after: over(({ after }) => after),
    /** In points: candidate − baseline. */
    difference: test.meanDifference,
    low: interval?.low,
    high: interval?.high,
    p: test.p,
    errors: errors.length,
    /**
     * The units whose sign flips together: tasks if there are several, else documents if there are several, else
     * errors.
     */
    units: test.units,
    by,
    clustered: by !== 'error',
    /** True exactly when the interval excludes 0. */
    significant: test.p < ALPHA,
    /** Between the units, in points; absent with a single unit. */
    standardError: errorOfMean(differences, weights, clusters, test.meanDifference),
  };
}

/**
 * Units whose difference is not the most common one. With only a few of them the distribution is far from symmetric and
 * the interval would be too narrow, so none is given.
 */
function unlikeTheRest(differences: readonly number[], clusters: readonly string[]): number {
  const sums = new Map<string, { sum: number; size: number }>();
  for (const [i, cluster] of clusters.entries()) {
    const { sum, size } = sums.get(cluster) ?? { sum: 0, size: 0 };
    sums.set(cluster, { sum: sum + (differences[i] as number), size: size + 1 });
  }
  const means = [...sums.values()].map(({ sum, size }) => (sum / size).toFixed(6));
  const most = Math.max(...[...Map.groupBy(means, (one) => one).values()].map(({ length }) => length));
  return most === 1 ? means.length : means.length - most;
}

/** Standard error of a weighted mean with clustered items: the spread of the clusters' contributions. */
function errorOfMean(
  differences: readonly number[],
  weights: readonly number[],
  clusters: readonly string[],
  centre: number,
): number | undefined {
  const rests = new Map<string, number>();
  for (const [i, cluster] of clusters.entries()) {
    const rest = (weights[i] as number) * ((differences[i] as number) - centre);
    rests.set(cluster, (rests.get(cluster) ?? 0) + rest);
  }
  const n = rests.size;
  if (n < 2) return undefined;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const squares = [...rests.values()].reduce((sum, rest) => sum + rest ** 2, 0);
  return Math.sqrt((n / (n - 1)) * squares) / total;
}

/**
 * The power of the verdict *improved*, which needs both tests. Both judge the same difference, so it must pass the
 * stricter threshold. The difference itself varies around the true one with its own standard error.
 */

const POWER = 0.8;

/** A plan that needs more than this many times the errors is unrealistic. */
const MOST_TIMES = 10_000;

type RunTest = Pick<Welch, 'interval'> | undefined;

export function verdictPower(paired: PairedTest, welch: RunTest) {
  const { errors, difference } = paired;
  const errorsFor = (effect: number) => {
    const times = timesFor(effect, paired, welch);
    return times === undefined ? undefined : Math.ceil(errors * times - 1e-9);
  };
  return {
    /** The smallest difference, in points, that this design detects as improved 80% of the time. */
    detectable: detectableAt(1, paired, welch),
    /**
     * How many errors, spread over proportionally more units, would show the observed difference and one of 20 points.
     */
    errorsForThis: errorsFor(Math.abs(difference)),
    errorsFor20: errorsFor(20),
  };
}

/**
 * With `times` as many errors and units and the same number of runs. More errors also reduce the variance of run
 * scores.
 */
function detectableAt(times: number, paired: PairedTest, welch: RunTest): number | undefined {
  const { standardError, units } = paired;
  if (standardError === undefined || standardError === 0) return undefined;
  const freedom = Math.round(units * times) - 1;
  if (freedom + 1 < UNITS_NEEDED) return undefined;
  const error = standardError / Math.sqrt(times);
  const lines = [
    studentTQuantile(1 - ALPHA / 2, freedom) * error * strictness(paired),
    ...(welch === undefined ? [] : [(welch.interval.high - welch.interval.low) / 2 / Math.sqrt(times)]),
  ];
  return Math.max(...lines) + studentTQuantile(POWER, freedom) * error;
}

/** With few units the sign-flip test is stricter than t: all six must agree. The ratio comes from its own interval. */
function strictness({ low, high, standardError, units }: PairedTest): number {
  if (low === undefined || high === undefined || !standardError) return 1;
  const byT = studentTQuantile(1 - ALPHA / 2, units - 1) * standardError;
  return Math.max(1, (high - low) / 2 / byT);
}

/** How many times the errors are needed to show an effect. Bisection works because more errors never detect less. */
function timesFor(effect: number, paired: PairedTest, welch: RunTest): number | undefined {
  if (effect === 0) return undefined;
  const shows = (times: number) => {
    const detectable = detectableAt(times, paired, welch);
    return detectable !== undefined && detectable <= effect;
  };
  if (paired.standardError === undefined || paired.standardError === 0 || !shows(MOST_TIMES))
    return undefined;
  let [low, high] = [UNITS_NEEDED / (2 * paired.units), MOST_TIMES];
  while (high - low > 1e-6 * high) {
    const middle = Math.sqrt(low * high);
    if (shows(middle)) high = middle;
    else low = middle;
  }
  return high;
}
