import { normalQuantile } from './distributions.ts';
import type { Interval } from './interval.ts';

/**
 * An interval for a correlation: atanh r is nearly normal with variance `spread` / (n − 3), so the interval is
 * taken there and brought back with tanh, which keeps it inside −1 to 1.
 *
 * Reference: R. A. Fisher, Metron 1 (1921). `spread` is 1 for Pearson's r and 1 + r²/2 for Spearman's.
 * Worked value: r = 0.8, n = 5, spread 1 → −0.280 to 0.986. n < 4 or r = ±1: `undefined`.
 */
export function fisherZInterval(
  r: number,
  n: number,
  spread: number,
  confidence: number,
): Interval | undefined {
  if (n < 4 || Math.abs(r) >= 1) return undefined;
  const centre = Math.atanh(r);
  const half = normalQuantile(1 - (1 - confidence) / 2) * Math.sqrt(spread / (n - 3));
  return { low: Math.tanh(centre - half), high: Math.tanh(centre + half) };
}
