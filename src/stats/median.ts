import type { Numbers } from './numbers.ts';
import { quantile } from './quantile.ts';

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
