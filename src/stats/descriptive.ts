import { extent, fsum } from 'd3-array';
import { checkFinite, type Numbers } from './check-input.ts';

/**
 * The arithmetic mean: the sum of the values divided by how many there are.
 *
 * When: the centre of scores that have no wild outliers; otherwise see `median`.
 * Reference: R `mean`, Python `statistics.fmean`.
 * Cost: O(n). Summed exactly (Shewchuk's method, as in Python's `math.fsum`) and rounded once, so the order of
 * the values never changes the last digit.
 * Worked value: `mean([1, 2, 6])` is 3. No values: `undefined`.
 */
export function mean(values: Numbers): number | undefined {
  checkFinite(values);
  const n = values.length;
  if (n === 0) return undefined;
  const sum = fsum(values);
  return Number.isFinite(sum) ? sum / n : fsum(values, (value) => value / n);
}

/**
 * The sample standard deviation: how far the values typically lie from their mean, with n − 1 below the line
 * because the mean was estimated from the same values.
 *
 * When: the spread of repeated runs of one thing.
 * Reference: R `sd`, d3-array `deviation`. Summed exactly, like `mean`, so that the order never matters.
 * Cost: O(n), two passes.
 * Worked value: `sampleSd([2, 4, 4, 4, 5, 5, 7, 9])` is √(32/7) = 2.138. Fewer than two values: `undefined`.
 */
export function sampleSd(values: Numbers): number | undefined {
  const centre = mean(values);
  if (centre === undefined || values.length < 2) return undefined;
  const [least, most] = extent(values);
  // The mean of equal values may be rounded away from them by one unit in the last place; their spread is 0.
  if (least === most) return 0;
  return Math.sqrt(fsum(values, (value) => (value - centre) ** 2) / (values.length - 1));
}

/** What a mean and its spread are worked out from, where the values themselves are not kept. */
export type Moments = { readonly n: number; readonly sum: number; readonly sumOfSquares: number };

/**
 * The sample standard deviation from sums.
 *
 * When: values were added up as they came and are not kept. Where they are, `sampleSd` is exact.
 * Reference: the textbook formula (Σx² − (Σx)²/n) / (n − 1). It loses digits where the spread is small beside the mean:
 * with values of 0 to 1 and sums to the billionth, a spread below 0.0001 is not told from none.
 * Worked value: 2, 4, 4, 4, 5, 5, 7, 9 (n 8, sum 40, squares 232) → √(32/7) = 2.138. Fewer than two values: `undefined`.
 */
export function sdOfMoments({ n, sum, sumOfSquares }: Moments): number | undefined {
  if (n < 2) return undefined;
  return Math.sqrt(Math.max(0, (sumOfSquares - (sum * sum) / n) / (n - 1)));
}

/**
 * The value below which a share `p` of the sample lies, by linear interpolation between the sorted values.
 *
 * When: percentiles of durations or costs, and the ends of a bootstrap interval.
 * Reference: type 7 of Hyndman and Fan, "Sample quantiles in statistical packages", American Statistician 50
 * (1996); the default of R `quantile` and of numpy `percentile`.
 * Cost: a sort.
 * Worked value: `quantile([1, 2, 3, 4], 0.25)` is 1.75. No values: `undefined`.
 */
export function quantile(values: Numbers, p: number): number | undefined {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile is taken at a share between 0 and 1, got ${p}`);
  checkFinite(values);
  return quantileOfSorted(Float64Array.from(values).sort(), p);
}

/** The same of values that are in ascending order already. */
export function quantileOfSorted(sorted: Float64Array, p: number): number | undefined {
  const place = Math.max(0, Math.min(1, p)) * (sorted.length - 1);
  const before = Math.floor(place);
  const low = sorted[before];
  const high = sorted[before + 1];
  return low === undefined || high === undefined ? low : low + (high - low) * (place - before);
}

/**
 * The median: as many values lie below it as above; with an even number of values, the mean of the two in the
 * middle.
 *
 * When: the centre of durations, costs and other values with a long tail.
 * Reference: R `median`. Cost: a sort.
 * Worked value: `median([9, 1, 3, 2])` is 2.5. No values: `undefined`.
 */
export function median(values: Numbers): number | undefined {
  return quantile(values, 0.5);
}
