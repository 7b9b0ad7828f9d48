import { checkShare, type Numbers } from './check-input.ts';
import { mean, sampleSd } from './descriptive.ts';
import { studentTQuantile, studentTTwoSidedP } from './distributions.ts';
import type { Interval } from './intervals.ts';

export type Welch = {
  /** mean of `after` − mean of `before`: positive when `after` is the larger. */
  readonly difference: number;
  readonly interval: Interval;
  readonly t: number;
  readonly degreesOfFreedom: number;
  /** Two-sided. */
  readonly p: number;
};

/**
 * Welch's t test: do two independent groups of values differ in their mean? The groups may differ in spread and
 * in size.
 *
 * When: run scores of two arms whose runs are not paired. For values paired item by item see `signFlip`.
 * Reference: B. L. Welch, Biometrika 34 (1947); R `t.test(after, before)`;
 * scipy `ttest_ind(after, before, equal_var=False)`.
 * Worked value: before 1, 2, 3; after 3, 4, 6 → difference 2.33, t = 2.21, df = 3.45, p = 0.102.
 * Fewer than two values in a group, or no spread in either: `undefined`.
 */
export function welch(before: Numbers, after: Numbers, confidence = 0.95): Welch | undefined {
  return welchOf(summaryOf(before), summaryOf(after), confidence);
}

/** What is known of a group of values. */
export type GroupSummary = {
  readonly n: number;
  readonly mean: number | undefined;
  readonly sd: number | undefined;
};

function summaryOf(values: Numbers): GroupSummary {
  return { n: values.length, mean: mean(values), sd: sampleSd(values) };
}

/** The same where only size, mean and standard deviation of the groups were kept. */
export function welchOf(before: GroupSummary, after: GroupSummary, confidence = 0.95): Welch | undefined {
  checkShare(confidence, 'confidence');
  const [meanBefore, meanAfter] = [before.mean, after.mean];
  if (meanBefore === undefined || meanAfter === undefined) return undefined;
  if (before.sd === undefined || after.sd === undefined) return undefined;

  const varianceBefore = before.sd ** 2 / before.n;
  const varianceAfter = after.sd ** 2 / after.n;
  const variance = varianceBefore + varianceAfter;
  const error = Math.sqrt(variance);
  // R's rule for "constant": values that differ by rounding alone would otherwise give an enormous t.
  if (error <= 10 * Number.EPSILON * Math.max(Math.abs(meanBefore), Math.abs(meanAfter))) return undefined;

  // Shares of the variance instead of squares of it: a spread of 1e-100 must not underflow to 0 / 0.
  const shareBefore = varianceBefore / variance;
  const shareAfter = varianceAfter / variance;
  const degreesOfFreedom = 1 / (shareBefore ** 2 / (before.n - 1) + shareAfter ** 2 / (after.n - 1));
  const difference = meanAfter - meanBefore;
  const t = difference / error;
  const half = studentTQuantile(1 - (1 - confidence) / 2, degreesOfFreedom) * error;
  return {
    difference,
    interval: { low: difference - half, high: difference + half },
    t,
    degreesOfFreedom,
    p: studentTTwoSidedP(t, degreesOfFreedom),
  };
}
