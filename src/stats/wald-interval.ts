import { normalQuantile } from './distributions.ts';
import type { Interval } from './interval.ts';

/**
 * estimate ± z · standard error, cut off at the ends of what the quantity can be.
 *
 * When: quantities with a large-sample error, such as `auc` and `cohenKappa`.
 * Worked value: 0.9 with error 0.1 in 0–1 → 0.704 to 1. An error of 0 is no certainty but a formula at its end:
 * `undefined`.
 */
export function waldInterval(
  estimate: number,
  error: number,
  [least, most]: readonly [number, number],
  confidence: number,
): Interval | undefined {
  if (!(error > 1e-9)) return undefined;
  const half = normalQuantile(1 - (1 - confidence) / 2) * error;
  return { low: Math.max(least, estimate - half), high: Math.min(most, estimate + half) };
}
