import { checkShare } from './check-input.ts';
import { studentTQuantile } from './distributions.ts';
import type { Interval } from './interval.ts';
import { mean } from './mean.ts';
import type { Numbers } from './numbers.ts';
import { sampleSd } from './sample-sd.ts';

/**
 * Student's t interval for a mean: mean ± t · SD / √n with n − 1 degrees of freedom.
 *
 * When: the mean of a few repeated runs. With three runs t is 4.30 and not 1.96, which is what makes it honest.
 * Reference: R `t.test(x)$conf.int`.
 * Worked value: 0.70, 0.74, 0.72 → 0.670 to 0.770.
 * Fewer than two values, or values all the same: `undefined` (as in R, "data are essentially constant"): an
 * interval without width would claim a certainty that three equal runs do not give.
 */
export function studentTInterval(values: Numbers, confidence = 0.95): Interval | undefined {
  checkShare(confidence, 'confidence');
  const centre = mean(values);
  const sd = sampleSd(values);
  if (centre === undefined || sd === undefined) return undefined;
  return studentTAround(centre, sd, values.length, confidence);
}

/** The same from a mean and a standard deviation, where the values are not kept. */
export function studentTAround(
  centre: number,
  sd: number,
  n: number,
  confidence = 0.95,
): Interval | undefined {
  const error = sd / Math.sqrt(n);
  // R's rule for "constant": 0.1 + 0.2 and 0.3 differ by rounding and by nothing else.
  if (error <= 10 * Number.EPSILON * Math.abs(centre)) return undefined;
  const half = studentTQuantile(1 - (1 - confidence) / 2, n - 1) * error;
  return { low: centre - half, high: centre + half };
}
