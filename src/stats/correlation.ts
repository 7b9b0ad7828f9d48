import { fsum } from 'd3-array';
import { checkFinite, checkSameLength, checkShare, type Numbers } from './check-input.ts';
import { mean, sampleSd } from './descriptive.ts';
import { normalQuantile, studentTTwoSidedP } from './distributions.ts';
import type { Interval } from './intervals.ts';

/** The answer of `pearson` and `spearman`. */
export type Correlation = {
  /** −1 to 1. */
  readonly r: number;
  /** Two-sided, of no association. */
  readonly p: number;
  readonly n: number;
  /** Absent with three pairs and at exactly ±1, where the Fisher transformation has no width or no end. */
  readonly interval: Interval | undefined;
};

/**
 * The rank of each value in its sample, from 1; equal values share the mean of the ranks they cover.
 *
 * When: a building block of `spearman`, `auc` and the ordinal `krippendorffAlpha`.
 * Reference: R `rank(x, ties.method = 'average')`; scipy `rankdata`.
 * Cost: O(n log n).
 * Worked value: `averageRanks([10, 20, 20, 5])` is 2, 3.5, 3.5, 1.
 */
export function averageRanks(values: Numbers): Float64Array {
  checkFinite(values);
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => at(values, a) - at(values, b));
  const ranks = new Float64Array(values.length);
  let start = 0;
  while (start < order.length) {
    let end = start;
    while (end < order.length && at(values, at(order, end)) === at(values, at(order, start))) end++;
    const shared = (start + 1 + end) / 2;
    for (let i = start; i < end; i++) ranks[at(order, i)] = shared;
    start = end;
  }
  return ranks;
}

function at(list: ArrayLike<number>, index: number): number {
  return list[index] as number;
}

/**
 * The bare correlation coefficient, shared by `pearson` and `spearman`: Σ (x − x̄)(y − ȳ) over the geometric mean
 * of the two sums of squares.
 *
 * Reference: R `cor`. A list counts as constant when its spread is below 1e-13 of its mean, where scipy warns that
 * nothing but rounding is left. Cost: O(n).
 * Worked value: x 1, 2, 3; y 1, 3, 2 → 0.5. No spread: `undefined`.
 */
export function productMoment(x: Numbers, y: Numbers): number | undefined {
  checkSameLength(x, y, ['x', 'y']);
  const [meanX, meanY] = [mean(x), mean(y)];
  const [sdX, sdY] = [sampleSd(x), sampleSd(y)];
  if (meanX === undefined || meanY === undefined || sdX === undefined || sdY === undefined) return undefined;
  if (sdX <= 1e-13 * Math.abs(meanX) || sdY <= 1e-13 * Math.abs(meanY)) return undefined;
  const products = Float64Array.from(
    x,
    (value, i) => ((value - meanX) / sdX) * (((y[i] as number) - meanY) / sdY),
  );
  return Math.max(-1, Math.min(1, fsum(products) / (x.length - 1)));
}

/**
 * The two-sided p of a correlation r over n pairs: t = r·√((n − 2) / (1 − r²)) with n − 2 degrees of freedom.
 *
 * Reference: R `cor.test`; exact for normal values, an approximation for ranks. A perfect r has p = 0, its limit.
 * Worked value: r = 0.8 over 5 pairs → t = 2.309, p = 0.104.
 */
function correlationP(r: number, n: number): number {
  const unexplained = 1 - r * r;
  return unexplained <= 0 ? 0 : studentTTwoSidedP(r * Math.sqrt((n - 2) / unexplained), n - 2);
}

/**
 * An interval for a correlation: atanh r is nearly normal with variance `spread` / (n − 3), so the interval is
 * taken there and brought back with tanh, which keeps it inside −1 to 1.
 *
 * Reference: R. A. Fisher, Metron 1 (1921). `spread` is 1 for Pearson's r and 1 + r²/2 for Spearman's.
 * Worked value: r = 0.8, n = 5, spread 1 → −0.280 to 0.986. n < 4 or r = ±1: `undefined`.
 */
export function fisherZInterval(
  r: number,
  n: number,
  spread: number,
  confidence: number,
): Interval | undefined {
  if (n < 4 || Math.abs(r) >= 1) return undefined;
  const centre = Math.atanh(r);
  const half = normalQuantile(1 - (1 - confidence) / 2) * Math.sqrt(spread / (n - 3));
  return { low: Math.tanh(centre - half), high: Math.tanh(centre + half) };
}

/**
 * Pearson's correlation: how closely the points (x, y) follow a straight line.
 *
 * When: two measurements on a scale with meaningful distances. One outlier can make or break it; then `spearman`.
 * Reference: R `cor.test(x, y)`; scipy `pearsonr`. The interval is Fisher's (Metron 1, 1921): z = atanh r is
 * nearly normal with variance 1 / (n − 3).
 * Cost: O(n).
 * Worked value: x 1, 2, 3, 4, 5; y 2, 1, 4, 3, 5 → r = 0.8, p = 0.104, −0.280 to 0.986.
 * Fewer than three pairs, or a list without spread: `undefined`.
 */
export function pearson(x: Numbers, y: Numbers, confidence = 0.95): Correlation | undefined {
  checkShare(confidence, 'confidence');
  const r = productMoment(x, y);
  const n = x.length;
  if (r === undefined || n < 3) return undefined;
  return { r, p: correlationP(r, n), n, interval: fisherZInterval(r, n, 1, confidence) };
}

/**
 * Spearman's rank correlation: do x and y rise together, whatever the shape of the curve? It is Pearson's r of
 * the ranks; ties share their mean rank.
 *
 * When: ratings and scores of which only the order can be trusted.
 * Reference: scipy `spearmanr` (p by the t approximation; R `cor.test(method = 'spearman', exact = FALSE)` with
 * ties). Interval: Fisher z with the variance (1 + r²/2) / (n − 3) of D. G. Bonett and T. A. Wright,
 * Psychometrika 65 (2000), because ranks vary more than normal values.
 * Cost: O(n log n).
 * Worked value: x 1, 2, 3, 4, 5; y 2, 1, 4, 3, 5 → r = 0.8, p = 0.104, −0.457 to 0.991.
 * Fewer than three pairs, or a list without spread: `undefined`.
 */
export function spearman(x: Numbers, y: Numbers, confidence = 0.95): Correlation | undefined {
  checkShare(confidence, 'confidence');
  const r = productMoment(averageRanks(x), averageRanks(y));
  const n = x.length;
  if (r === undefined || n < 3) return undefined;
  return { r, p: correlationP(r, n), n, interval: fisherZInterval(r, n, 1 + (r * r) / 2, confidence) };
}
