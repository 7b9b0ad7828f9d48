import { checkCount } from './check-input.ts';
import { binomialCdf } from './distributions.ts';

/**
 * McNemar's exact test: two methods judged the same items yes/no; `b` items went one way, `c` the other. Items on
 * which both agree say nothing about which is better and are left out. If neither is better, each disagreement
 * is a fair coin.
 *
 * When: two methods that give the same answer each time, so that there is one yes/no per item and method.
 * Reference: Q. McNemar, Psychometrika 12 (1947); R `binom.test(b, b + c)$p.value`.
 * Returns the two-sided p. It can never be below 2^(1 − b − c): five disagreements cannot reach 0.05.
 * Worked value: b = 2, c = 9 → 0.0654. No disagreement at all: 1, the only outcome there is.
 */
export function mcnemar(b: number, c: number): number {
  checkCount(b, 'b');
  checkCount(c, 'c');
  return Math.min(1, 2 * binomialCdf(Math.min(b, c), b + c, 0.5));
}
