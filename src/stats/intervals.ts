import { fsum } from 'd3-array';
import { type Cluster, groupByCluster } from './bootstrap.ts';
import { checkCount, checkFinite, checkShare, type Numbers } from './check-input.ts';
import { mean, sampleSd } from './descriptive.ts';
import { betaQuantile, normalQuantile, studentTQuantile } from './distributions.ts';

/** A confidence interval: the values that the data do not contradict. `low` is never above `high`. */
export type Interval = { readonly low: number; readonly high: number };

/**
 * estimate ± z · standard error, cut off at the ends of what the quantity can be.
 *
 * When: quantities with a large-sample error, such as `auc` and `cohenKappa`.
 * Worked value: 0.9 with error 0.1 in 0–1 → 0.704 to 1. An error of 0 is no certainty but a formula at its end:
 * `undefined`.
 */
export function waldInterval(
  estimate: number,
  error: number,
  [least, most]: readonly [number, number],
  confidence: number,
): Interval | undefined {
  if (!(error > 1e-9)) return undefined;
  const half = normalQuantile(1 - (1 - confidence) / 2) * error;
  return { low: Math.max(least, estimate - half), high: Math.min(most, estimate + half) };
}

/**
 * Wilson's interval for a share: k of n independent items had the property.
 *
 * When: every share of independent yes/no items. Unlike the textbook p ± 1.96·√(p(1 − p)/n) it stays inside 0–1
 * and says something sensible for 0 of n and n of n. Not for partial credit and not for items that come in
 * groups: those need `bootstrap`.
 * Reference: E. B. Wilson, JASA 22 (1927); R `prop.test(k, n, correct = FALSE)`; scipy
 * `binomtest(k, n).proportion_ci(method='wilson')`.
 * Worked value: 8 of 10 → 0.490 to 0.943. n = 0: `undefined`.
 */
export function wilson(k: number, n: number, confidence = 0.95): Interval | undefined {
  checkShare(confidence, 'confidence');
  if (!Number.isInteger(k) || !Number.isInteger(n) || k < 0 || k > n) {
    throw new RangeError(`wilson needs whole numbers with 0 ≤ k ≤ n, got k = ${k}, n = ${n}`);
  }
  if (n === 0) return undefined;
  const z = normalQuantile(1 - (1 - confidence) / 2);
  return wilsonAround(k / n, n, z);
}

/** Wilson's interval of a share that rests on `n` answers, which may be a fraction, at `z` standard errors. */
export function wilsonAround(share: number, n: number, z: number): Interval {
  const shrink = 1 + (z * z) / n;
  const centre = (share + (z * z) / (2 * n)) / shrink;
  const half = (z / shrink) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  // At the ends the limits are 0 and 1 exactly; rounding would miss them by 1e-17.
  return {
    low: share <= 0 ? 0 : Math.max(0, centre - half),
    high: share >= 1 ? 1 : Math.min(1, centre + half),
  };
}

/**
 * The exact interval of a share: each end is the share at which k or more (k or fewer) of n would be as rare as `tail`.
 *
 * When: a bound has to hold however few items there are, as where an alert fires. `k` and `n` may be fractions, for a sample
 * whose items are worth more or less than one.
 * Reference: C. Clopper and E. Pearson, Biometrika 26 (1934); R `binom.test(k, n)$conf.int`; fractions as in E. Korn and
 * B. Graubard, Survey Methodology 24 (1998).
 * Worked value: 10 of 100 at a tail of 0.025 → 0.0490 to 0.1762.
 */
export function exactShareInterval(k: number, n: number, tail: number): Interval {
  if (!(n > 0 && k >= 0 && k <= n))
    throw new RangeError(`a share needs 0 ≤ k ≤ n and n > 0, got ${k} of ${n}`);
  return {
    low: k <= 0 ? 0 : betaQuantile(tail, k, n - k + 1),
    high: k >= n ? 1 : betaQuantile(1 - tail, k + 1, n - k),
  };
}

type ShareIntervalOptions = {
  /** The cluster of each value: items of one document are alike. */
  readonly clusters?: readonly Cluster[];
  /** How many yes/no answers each value is the mean of; 1 unless told. */
  readonly repeats?: number;
  readonly confidence?: number;
};

/**
 * An interval for the mean of values from 0 to 1 over the items they were drawn from: partial credit, means of repeated
 * runs, items in clusters. Wilson's interval with the effective number of items, which is p(1 − p) divided by the
 * variance of the mean as seen between clusters, and with Student's t for the effective number of clusters.
 *
 * When: a share whose items stand for others like them. It covers the choice of items and the noise of runs together;
 * an interval over run means covers the second only.
 * Reference: Wilson (1927) with a design effect, as E. Korn and B. Graubard, Survey Methodology 24 (1998), and C. Franco
 * et al., Journal of Survey Statistics and Methodology 7 (2019), recommend for surveys. Coverage in simulations:
 * `bench/compare-verdicts.ts`.
 * Worked value: 8 ones and 2 zeros, each on its own: variance of the mean 0.16/9, so 9 effective items, t = 2.262 →
 * 0.438 to 0.955. A single cluster: `undefined`.
 */
export function shareInterval(values: Numbers, options: ShareIntervalOptions = {}): Interval | undefined {
  checkFinite(values, 'values');
  const { clusters, repeats = 1, confidence = 0.95 } = options;
  checkCount(repeats, 'repeats', 1);
  checkShare(confidence, 'confidence');
  const groups = groupByCluster(values.length, clusters);
  const share = mean(values);
  if (share === undefined || groups.length < 2) return undefined;
  if (share < 0 || share > 1) throw new RangeError(`shares lie between 0 and 1, their mean is ${share}`);
  const n = effectiveItems(values, groups, share, repeats);
  const t = studentTQuantile(1 - (1 - confidence) / 2, Math.max(1, effectiveClusters(groups) - 1));
  return wilsonAround(share, n, t);
}

/** As many clusters of one size as would tell as much: (Σn)² / Σn². One large cluster among small ones is nearly one. */
function effectiveClusters(groups: readonly (readonly number[])[]): number {
  const sizes = groups.map(({ length }) => length);
  return fsum(sizes) ** 2 / fsum(sizes, (size) => size ** 2);
}

/** Values without any spread tell no variance; they count as one answer each, and never as more than they are. */
function effectiveItems(
  values: Numbers,
  groups: readonly (readonly number[])[],
  share: number,
  repeats: number,
): number {
  const n = values.length;
  const squares = groups.map((places) => fsum(places, (place) => (values[place] as number) - share) ** 2);
  const clusters = Math.max(1.5, effectiveClusters(groups));
  const variance = ((clusters / (clusters - 1)) * fsum(squares)) / n ** 2;
  const isFlat = share === 0 || share === 1;
  // Where all is found or nothing is, clusters may be all alike inside: then each of them is one item.
  if (isFlat) return groups.some((places) => places.length > 1) ? groups.length : n;
  if (variance === 0) return n;
  return Math.min(n * repeats, (share * (1 - share)) / variance);
}

/**
 * Student's t interval for a mean: mean ± t · SD / √n with n − 1 degrees of freedom.
 *
 * When: the mean of a few repeated runs. With three runs t is 4.30 and not 1.96, which is what makes it honest.
 * Reference: R `t.test(x)$conf.int`.
 * Worked value: 0.70, 0.74, 0.72 → 0.670 to 0.770.
 * Fewer than two values, or values all the same: `undefined` (as in R, "data are essentially constant"): an
 * interval without width would claim a certainty that three equal runs do not give.
 */
export function studentTInterval(values: Numbers, confidence = 0.95): Interval | undefined {
  checkShare(confidence, 'confidence');
  const centre = mean(values);
  const sd = sampleSd(values);
  if (centre === undefined || sd === undefined) return undefined;
  return studentTAround(centre, sd, values.length, confidence);
}

/** The same from a mean and a standard deviation, where the values are not kept. */
export function studentTAround(
  centre: number,
  sd: number,
  n: number,
  confidence = 0.95,
): Interval | undefined {
  const error = sd / Math.sqrt(n);
  // R's rule for "constant": 0.1 + 0.2 and 0.3 differ by rounding and by nothing else.
  if (error <= 10 * Number.EPSILON * Math.abs(centre)) return undefined;
  const half = studentTQuantile(1 - (1 - confidence) / 2, n - 1) * error;
  return { low: centre - half, high: centre + half };
}

/**
 * The interval of a mean of values from 0 to 1 that were all the same: others may exist, but not many, or one of them would
 * have come. With n equal values at most 1 − (α/2)^(1/n) of all values are others (Clopper and Pearson, Biometrika 26, 1934),
 * and those may be as low as 0 or as high as 1.
 *
 * Worked value: 40 times 0.9 → 1 − 0.025^(1/40) = 0.0881; 0.9 × 0.9119 = 0.8207 to 0.9 + 0.0881 × 0.1 = 0.9088.
 */
export function equalValuesInterval(value: number, n: number, confidence = 0.95): Interval {
  const others = 1 - ((1 - confidence) / 2) ** (1 / n);
  return { low: value * (1 - others), high: value + others * (1 - value) };
}
