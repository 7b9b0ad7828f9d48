import { fsum } from 'd3-array';
import { checkSameLength } from './check-input.ts';
import { mean } from './mean.ts';
import type { Numbers } from './numbers.ts';
import { sampleSd } from './sample-sd.ts';

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
