import type { ComparePolicy } from '../judge/compare.ts';
import type { GatePolicy } from '../judge/gate.ts';
import { metricKey } from '../measure/metric.ts';
import type { ReviewMetric } from './metric.ts';

const DETECTION = 'workflow/dr';

/** Metric key → required minimum. */
export type Minimums = ReadonlyMap<string, number>;

/**
 * A poor review is a result, not a failure: nothing blocks unless the user sets a minimum. Detection is always watched,
 * so that a run without a detection rate is inconclusive and never passes.
 */
export function gateFor(
  metrics: readonly ReviewMetric[],
  minimums: Minimums,
): { readonly metrics: readonly ReviewMetric[]; readonly gate: GatePolicy } {
  const withLine = metrics.map((metric) => {
    const least = minimums.get(metricKey(metric.id));
    if (least !== undefined)
      return { ...metric, pastLine: undefined, zones: { fail: least, target: least, excellent: least } };
    if (metric.id !== DETECTION || metric.zones === undefined) return metric;
    return { ...metric, zones: { ...metric.zones, fail: metric.range[0] } };
  });
  const asked = metrics.filter((metric) => minimums.has(metricKey(metric.id))).map(({ id }) => id);
  return { metrics: withLine, gate: { gated: [...new Set([DETECTION, ...asked])] } };
}

/** A share in place of a percentage would pass everything, and the reverse would fail everything. */
export function scaleFault(
  metrics: readonly ReviewMetric[],
  key: string,
  least: number,
): { readonly message: string; readonly remedy: string } | undefined {
  const metric = metrics.find(({ id }) => metricKey(id) === key);
  if (metric === undefined) return undefined;
  const [low, high] = metric.range;
  if (high === 100 && least > 0 && least < 1) {
    const meant = Number((100 * least).toPrecision(12));
    return {
      message: `${key} goes from 0 to 100, so ${key}=${least} would be met by almost anything`,
      remedy: `For ${meant} percent write ${key}=${meant}.`,
    };
  }
  if (least >= low && least <= high) return undefined;
  const meant =
    high === 1 && least > 1 && least <= 100 ? ` For ${least} percent write ${key}=${least / 100}.` : '';
  return {
    message: `${key} goes from ${low} to ${high}, and ${least} is outside`,
    remedy: `Give a number from ${low} to ${high}.${meant}`,
  };
}

/** Two versions are compared by their runs and errors, not by one number, so this gate blocks nothing. */
export const NO_REGRESSION_GATE: ComparePolicy = { blocking: [], noisePoints: 1, blockPoints: 100 };
