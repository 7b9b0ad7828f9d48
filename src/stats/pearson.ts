import { checkShare } from './check-input.ts';
import type { Correlation } from './correlation.ts';
import { correlationP } from './correlation-p.ts';
import { fisherZInterval } from './fisher-z-interval.ts';
import type { Numbers } from './numbers.ts';
import { productMoment } from './product-moment.ts';

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
