import { averageRanks } from './average-ranks.ts';
import { checkShare } from './check-input.ts';
import type { Correlation } from './correlation.ts';
import { correlationP } from './correlation-p.ts';
import { fisherZInterval } from './fisher-z-interval.ts';
import type { Numbers } from './numbers.ts';
import { productMoment } from './product-moment.ts';

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
