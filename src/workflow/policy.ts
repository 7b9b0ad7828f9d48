import type { ComparePolicy } from '../judge/compare.ts';
import type { GatePolicy } from '../judge/gate.ts';
import { metricKey } from '../measure/metric.ts';
import type { ReviewMetric } from './metric.ts';

const DETECTION = 'workflow/dr';

/** Metric key → the least that is asked of it. */
export type Minimums = ReadonlyMap<string, number>;

/**
 * A poor review is a result, not a failure: nothing blocks unless somebody asks for a minimum. Detection is always
 * watched, so that a run in which it could not be measured is inconclusive and never green.
 */
export function gateFor(
  metrics: readonly ReviewMetric[],
  minimums: Minimums,
): { readonly metrics: readonly ReviewMetric[]; readonly gate: GatePolicy } {
  const withLine = metrics.map((metric) => {
    const least = minimums.get(metricKey(metric.id));
    if (least !== undefined) return { ...metric, zones: { fail: least, target: least, excellent: least } };
    if (metric.id !== DETECTION || metric.zones === undefined) return metric;
    return { ...metric, zones: { ...metric.zones, fail: metric.range[0] } };
  });
  const asked = metrics.filter((metric) => minimums.has(metricKey(metric.id))).map(({ id }) => id);
  return { metrics: withLine, gate: { gated: [...new Set([DETECTION, ...asked])] } };
}

/** Two versions are compared by their runs and errors, not by one number against the last; nothing blocks here. */
export const NO_REGRESSION_GATE: ComparePolicy = { blocking: [], noisePoints: 1, blockPoints: 100 };
