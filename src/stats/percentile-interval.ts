import type { Interval } from './interval.ts';
import { quantile } from './quantile.ts';

/**
 * The percentile bootstrap interval: the middle 95% of the resampled values.
 *
 * Reference: B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), ch. 13;
 * scipy `bootstrap(method='percentile')`.
 * Worked value: replicates 0, 1, …, 100 → 2.5 to 97.5. No replicates: `undefined`.
 */
export function percentileInterval(replicates: Float64Array, confidence: number): Interval | undefined {
  const tail = (1 - confidence) / 2;
  const low = quantile(replicates, tail);
  const high = quantile(replicates, 1 - tail);
  return low === undefined || high === undefined ? undefined : { low, high };
}
