import { fsum } from 'd3-array';
import { studentTQuantile } from './distributions.ts';
import { wilsonAround } from './intervals.ts';

/** One item of a sample: what it counts in the numerator and in the denominator, and how likely it was to be drawn. */
export type DrawnItem = {
  readonly count: number;
  readonly of: number;
  /** Above 0, at most 1. */
  readonly probability: number;
};

export type WeightedRatio = {
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  /** How many items it rests on. */
  readonly n: number;
  /** As many items with equal weights as would tell as much (Kish). */
  readonly effectiveN: number;
  /** Of the value; absent for fewer than two items. */
  readonly variance?: number;
};

/**
 * A share or a mean over everything, from a sample whose items were drawn with unequal, known probabilities: each counts
 * as 1/probability, so that what was drawn more often than its part counts no more than that.
 *
 * When: a sample that looks harder where it is rare. `kind: 'share'` for shares (Wilson's interval with the effective
 * number of items), `'mean'` for other ratios (Student's t). Items are what was drawn: the concepts of one text are one
 * item with `count` and `of`.
 * Reference: J. Hájek, in Foundations of Statistical Inference (1971); the variance by linearisation as for a draw with
 * replacement, which is on the safe side: C.-E. Särndal, B. Swensson and J. Wretman, Model Assisted Survey Sampling
 * (1992), section 5.5–5.7; effective number: L. Kish, Survey Sampling (1965).
 * Worked value: 2 of 4 with probability 0.5 and 1 of 1 with probability 1: (2/0.5 + 1) / (4/0.5 + 1) = 5/9.
 * Nothing in the denominator: `undefined`.
 */
export function weightedRatio(
  items: readonly DrawnItem[],
  kind: 'share' | 'mean',
  confidence = 0.95,
): WeightedRatio | undefined {
  const used = items.filter(({ of }) => of > 0);
  for (const { probability } of used)
    if (!(probability > 0 && probability <= 1))
      throw new RangeError(`a probability must be above 0 and at most 1, got ${probability}`);
  const n = used.length;
  if (n === 0) return undefined;
  // Only their ratios matter; the weight of what was as good as never drawn has a square beyond all numbers.
  const rarest = used.reduce((least, { probability }) => Math.min(least, probability), 1);
  const weighted = used.map(({ count, of, probability }) => ({ count, of, weight: rarest / probability }));
  const whole = fsum(weighted, ({ of, weight }) => of * weight);
  const value = fsum(weighted, ({ count, weight }) => count * weight) / whole;
  const effectiveN = whole ** 2 / fsum(weighted, ({ of, weight }) => (of * weight) ** 2);
  if (n < 2) return { value, n, effectiveN };
  const squares = fsum(weighted, ({ count, of, weight }) => ((count - value * of) * weight) ** 2);
  const variance = ((n / (n - 1)) * squares) / whole ** 2;
  const t = studentTQuantile(1 - (1 - confidence) / 2, Math.max(1, effectiveN - 1));
  const interval = kind === 'share' ? wilsonWith(value, variance, effectiveN, t) : around(value, variance, t);
  return { value, ...interval, n, effectiveN, variance };
}

/** Where all or none have the property the sample tells no variance: as many answers as items count. */
function wilsonWith(share: number, variance: number, effectiveN: number, t: number) {
  const isFlat = variance <= 1e-12 || share <= 0 || share >= 1;
  const n = isFlat ? effectiveN : (share * (1 - share)) / variance;
  return wilsonAround(share, n, t);
}

function around(value: number, variance: number, t: number) {
  if (variance <= 1e-18) return {};
  const half = t * Math.sqrt(variance);
  return { low: value - half, high: value + half };
}
