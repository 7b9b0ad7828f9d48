/** The same errors under two workflows: how much more often is each one found? */
import type { BootstrapOptions } from '../../stats/bootstrap-interval.ts';
import { bootstrapMean } from '../../stats/bootstrap-mean.ts';
import type { Interval } from '../../stats/interval.ts';
import { mean } from '../../stats/mean.ts';
import { minimumDetectableEffect, neededN } from '../../stats/power.ts';
import { sampleSd } from '../../stats/sample-sd.ts';
import { signFlip } from '../../stats/sign-flip.ts';
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
      ...(one.error.document !== undefined && { document: one.error.document }),
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
  /** What changes sign together: documents where there are several, else single errors. */
  readonly units: number;
  readonly clustered: boolean;
  readonly significant: boolean;
  readonly sd: number | undefined;
};

/** Five units have 32 sign combinations: the smallest two-sided p is 0.0625. */
export const UNITS_NEEDED = 6;

const ALPHA = 0.05;

/** The paired per-error difference with a bootstrap interval and the sign-flip test, clustered by document. */
export function pairedTest(errors: readonly PairedError[]): PairedTest | undefined {
  const total = errors.reduce((sum, { weight }) => sum + weight, 0);
  // Scaled so that their mean is the difference of the metric itself.
  const differences = errors.map(
    ({ before, after, weight }) => (100 * (after - before) * weight * errors.length) / total,
  );
  // An error that names no document stands for itself, and makes no second document of the one that others name.
  const clusters = errors.map(({ task, document }, i) => JSON.stringify([task, document ?? i]));
  const named = errors.flatMap(({ task, document }) =>
    document === undefined ? [] : [JSON.stringify([task, document])],
  );
  const clustered = new Set(named).size > 1;
  const options = clustered ? { clusters } : {};
  const test = signFlip(differences, options);
  if (test === undefined) return undefined;
  const units = clustered ? new Set(clusters).size : errors.length;
  const interval = units < UNITS_NEEDED ? undefined : mirroredInterval(differences, options);
  const excludesZero = interval === undefined || interval.low > 0 || interval.high < 0;
  const over = (side: (error: PairedError) => number) =>
    (100 * errors.reduce((sum, error) => sum + side(error) * error.weight, 0)) / total;
  return {
    before: over(({ before }) => before),
    after: over(({ after }) => after),
    difference: test.meanDifference,
    ...interval,
    p: test.p,
    errors: errors.length,
    units,
    clustered,
    significant: test.p < ALPHA && excludesZero,
    sd: sampleSd(differences),
  };
}

/** Drawn from the side of the larger arm, so that the interval turns round exactly when the sides do. */
function mirroredInterval(differences: readonly number[], options: BootstrapOptions): Interval | undefined {
  const sign = (mean(differences) ?? 0) < 0 ? -1 : 1;
  const interval = bootstrapMean(
    differences.map((difference) => sign * difference),
    options,
  )?.interval;
  if (interval === undefined || sign === 1) return interval;
  return { low: -interval.high, high: -interval.low };
}

export type Power = {
  /** The smallest difference, in points, that this many errors show 80% of the time. */
  readonly detectable?: number;
  /** Errors needed to see the difference that was found, and one of 20 points. */
  readonly errorsForThis?: number;
  readonly errorsFor20?: number;
};

export function pairedPower({ sd, errors, difference }: PairedTest): Power {
  if (sd === undefined || sd === 0) return {};
  const detectable = minimumDetectableEffect(sd, errors);
  const [forThis, for20] = [neededN(sd, difference), neededN(sd, 20)];
  return {
    ...(detectable !== undefined && { detectable }),
    ...(forThis !== undefined && { errorsForThis: forThis }),
    ...(for20 !== undefined && { errorsFor20: for20 }),
  };
}
