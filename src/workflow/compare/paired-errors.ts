/** The same errors under two workflows: how much more often is each one found? */
import { mean } from '../../stats/mean.ts';
import { signFlipInterval } from '../../stats/sign-flip-interval.ts';
import { clusterErrors } from '../cluster-errors.ts';
import { pointsOf } from '../counts.ts';
import type { ErrorOutcome, RunEvidence } from '../evidence.ts';

export type PairedError = {
  readonly task: string;
  readonly id: string;
  readonly document?: string;
  /** Mean credit over the runs of each side. */
  readonly before: number;
  readonly after: number;
  /** How much the error counts in the metric compared. */
  readonly weight: number;
  /** Found in more than half of the runs. */
  readonly foundBefore: boolean;
  readonly foundAfter: boolean;
};

/** How much each error counts in a metric that is a mean over errors; undefined for metrics that are not. */
export function errorWeight(key: string): ((error: ErrorOutcome) => number) | undefined {
  if (key === 'dr') return () => 1;
  if (key === 'wds') return pointsOf;
  const [, severity] = /^dr_(critical|important|minor)$/.exec(key) ?? [];
  return severity === undefined ? undefined : (error) => (error.severity === severity.toUpperCase() ? 1 : 0);
}

/** Errors of the tasks that both sides reviewed; those that do not count are left out. */
export function pairErrors(
  before: readonly RunEvidence[],
  after: readonly RunEvidence[],
  weight: (error: ErrorOutcome) => number,
): PairedError[] {
  const [first, second] = [creditsOf(before), creditsOf(after)];
  return [...first].flatMap(([key, one]) => {
    const other = second.get(key);
    const counts = weight(one.error);
    if (other === undefined || counts === 0) return [];
    return {
      task: one.task,
      id: one.error.id,
      document: one.error.document,
      before: mean(one.credits) as number,
      after: mean(other.credits) as number,
      weight: counts,
      foundBefore: isUsuallyFound(one.credits),
      foundAfter: isUsuallyFound(other.credits),
    };
  });
}

type Credits = { readonly task: string; readonly error: ErrorOutcome; readonly credits: number[] };

function creditsOf(runs: readonly RunEvidence[]): ReadonlyMap<string, Credits> {
  const credits = new Map<string, Credits>();
  for (const { task, errors } of runs) {
    for (const error of errors) {
      const key = JSON.stringify([task, error.id]);
      const known = credits.get(key);
      if (known === undefined) credits.set(key, { task, error, credits: [error.credit] });
      else known.credits.push(error.credit);
    }
  }
  return credits;
}

function isUsuallyFound(credits: readonly number[]): boolean {
  return credits.filter((credit) => credit > 0).length * 2 > credits.length;
}

export type PairedTest = {
  /** The metric over all errors on each side, every error counting the same number of times on both. */
  readonly before: number;
  readonly after: number;
  /** In points: candidate − baseline. */
  readonly difference: number;
  readonly low?: number;
  readonly high?: number;
  readonly p: number;
  readonly errors: number;
  /** What changes sign together: tasks where there are several, else documents where there are several, else errors. */
  readonly units: number;
  readonly by: 'task' | 'document' | 'error';
  readonly clustered: boolean;
  /** p below 0.05, which is exactly when the interval leaves 0 out. */
  readonly significant: boolean;
  /** Standard error of the difference as seen between the units, in points; absent with a single unit. */
  readonly standardError?: number;
};

/** Five units have 32 sign combinations: the smallest two-sided p is 0.0625. */
export const UNITS_NEEDED = 6;

const ALPHA = 0.05;

/** The paired per-error difference with its sign-flip test and the interval that the same test gives. */
export function pairedTest(errors: readonly PairedError[]): PairedTest | undefined {
  const total = errors.reduce((sum, { weight }) => sum + weight, 0);
  const differences = errors.map(({ before, after }) => 100 * (after - before));
  const { clusters, by } = clusterErrors(errors);
  const weights = errors.map(({ weight }) => weight);
  const test = signFlipInterval(differences, { clusters, weights, alpha: ALPHA });
  if (test === undefined) return undefined;
  const over = (side: (error: PairedError) => number) =>
    (100 * errors.reduce((sum, error) => sum + side(error) * error.weight, 0)) / total;
  const moved = unlikeTheRest(differences, clusters);
  const standardError = errorOfMean(differences, weights, clusters, test.meanDifference);
  return {
    before: over(({ before }) => before),
    after: over(({ after }) => after),
    difference: test.meanDifference,
    ...(moved >= UNITS_NEEDED && test.interval),
    p: test.p,
    errors: errors.length,
    units: test.units,
    by,
    clustered: by !== 'error',
    significant: test.p < ALPHA,
    ...(standardError !== undefined && { standardError }),
  };
}

/**
 * Units whose difference is not the most common one. With a handful of them the differences are anything but symmetric,
 * and the interval would be too narrow to be true: then there is none.
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

/** Of a weighted mean whose items come in clusters: the spread of what each cluster adds to it. */
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
