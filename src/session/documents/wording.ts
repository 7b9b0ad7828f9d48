import type { Measurement } from '../../measure/metric.ts';
import { estimate } from '../../measure/metric.ts';
import { formatScore } from '../../report/number.ts';
import { tierLegend } from '../../report/zone-mark.ts';
import type { WeightsDoubt } from '../calibration/weights-file.ts';
import type { RoiRow } from '../pricing/roi.ts';
import type { ListedSession } from '../results.ts';

/** Said wherever Q is shown. */
export const BLIND_SPOT = 'Q measures how a session went, not whether its answer was right.';

/** Said where the marks of tiers stand. */
export const TIERS = `Q: ${tierLegend()}. A ? says that nothing was seen against it, and no outcome either.`;

/** Said where a cost is a lower bound. */
export const LOWER_BOUND =
  'Costs marked "at least" or ≥ are lower bounds: less output was counted than is visible. Q per dollar is then at most what it says.';

export function meanQOf({ meanQ, n, interval }: Pick<RoiRow, 'meanQ' | 'n' | 'interval'>): Measurement {
  return estimate(meanQ, n, interval ?? {});
}

/** In a sentence: the value with its interval, or why there is none. */
export function sayMeasurement(measurement: Measurement): string {
  if (!measurement.measured) return `– (${measurement.reason})`;
  const { value, low, high } = measurement;
  return low === undefined || high === undefined
    ? formatScore(value)
    : `${formatScore(value)} [${formatScore(low)}, ${formatScore(high)}]`;
}

/** Why cells of a table are empty, each reason once: a terminal has no room for it in the cell. */
export function reasonsFor(measurements: readonly Measurement[]): string[] {
  const reasons = measurements.flatMap((one) => (one.measured ? [] : [one.reason]));
  return [...new Set(reasons)].map((reason) => `– stands for: ${reason}.`);
}

/** What a person should know before trusting scores with such weights. */
export function sayWeightsDoubt(doubt: WeightsDoubt): string {
  return doubt.kind === 'other scorer'
    ? `these weights were fitted with the scorer ${doubt.fittedWith}; this is ${doubt.scorer}, so fit them again`
    : `these weights did not gain when they were fitted: ${doubt.because}`;
}

/** What of the weights is yours, beside what is documented. */
export function sayOwnWeights(own: readonly string[] | undefined): string[] {
  return own === undefined ? [] : [`Your weights: ${own.join('; ')}.`];
}

/** A session in one sentence: what was asked, how it went, and what was seen. */
export function whatWasSeen({ title, sessionId, q, tier, why }: ListedSession): string {
  const score = q === undefined ? 'Q unmeasured' : `Q ${formatScore(q)}, ${tier}`;
  return `“${title ?? sessionId}”: ${score}${why === '' ? '' : `; ${why}`}`;
}
