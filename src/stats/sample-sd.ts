import { extent, fsum } from 'd3-array';
import { mean } from './mean.ts';
import type { Numbers } from './numbers.ts';

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
