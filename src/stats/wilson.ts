import { checkShare } from './check-input.ts';
import { normalQuantile } from './distributions.ts';
import type { Interval } from './interval.ts';

/**
 * Wilson's interval for a share: k of n independent items had the property.
 *
 * When: every share of independent yes/no items. Unlike the textbook p ± 1.96·√(p(1 − p)/n) it stays inside 0–1
 * and says something sensible for 0 of n and n of n. Not for partial credit and not for items that come in
 * groups: those need `bootstrap`.
 * Reference: E. B. Wilson, JASA 22 (1927); R `prop.test(k, n, correct = FALSE)`; scipy
 * `binomtest(k, n).proportion_ci(method='wilson')`.
 * Worked value: 8 of 10 → 0.490 to 0.943. n = 0: `undefined`.
 */
export function wilson(k: number, n: number, confidence = 0.95): Interval | undefined {
  checkShare(confidence, 'confidence');
  if (!Number.isInteger(k) || !Number.isInteger(n) || k < 0 || k > n) {
    throw new RangeError(`wilson needs whole numbers with 0 ≤ k ≤ n, got k = ${k}, n = ${n}`);
  }
  if (n === 0) return undefined;
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const share = k / n;
  const shrink = 1 + (z * z) / n;
  const centre = (share + (z * z) / (2 * n)) / shrink;
  const half = (z / shrink) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  // At the ends the limits are 0 and 1 exactly; rounding would miss them by 1e-17.
  return { low: k === 0 ? 0 : centre - half, high: k === n ? 1 : centre + half };
}
