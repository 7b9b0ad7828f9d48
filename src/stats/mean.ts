import { fsum } from 'd3-array';
import { checkFinite } from './check-input.ts';
import type { Numbers } from './numbers.ts';

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
