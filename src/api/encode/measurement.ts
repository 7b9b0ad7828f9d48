import type { z } from 'zod';
import type { JudgedMetric } from '../../judge/verdict.ts';
import { type Measurement, metricKey } from '../../measure/metric.ts';
import type { judgedMeasurement, measurement } from '../schema/measurement.ts';

export type MeasurementWire = z.infer<typeof measurement>;
export type JudgedMeasurementWire = z.infer<typeof judgedMeasurement>;

export function encodeMeasurement(one: Measurement): MeasurementWire {
  if (!one.measured) return { value: null, low: null, high: null, n: 0, micro: null, reason: one.reason };
  const { value, low, high, n, pooled, spread, coverage, skipped } = one;
  return {
    value,
    low: low ?? null,
    high: high ?? null,
    n,
    // Of one case or one execution the pooled value is the value.
    micro: pooled ?? value,
    spread,
    coverage,
    ...(skipped && { skipped: { ...skipped } }),
  };
}

/** By the key of each metric, in the order of the catalogue. */
export function encodeMetrics(metrics: readonly JudgedMetric[]): Record<string, JudgedMeasurementWire> {
  return Object.fromEntries(
    metrics.map(({ id, measurement: one, zone }) => [
      metricKey(id),
      { ...encodeMeasurement(one), zone: zone ?? null },
    ]),
  );
}
