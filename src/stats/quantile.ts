import { checkFinite } from './check-input.ts';
import type { Numbers } from './numbers.ts';

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
