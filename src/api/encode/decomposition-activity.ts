import type { z } from 'zod';
import type { Activity, ActivityFigures } from '../../decomposition/results.ts';
import type { decompositionActivity } from '../schema/decomposition-activity.ts';
import { encodeMeasurement } from './measurement.ts';

type Wire = z.infer<typeof decompositionActivity>;

export function encodeActivity(activity: Activity): Wire {
  const { whole, hours, days, confidences, withoutEvidence, partial } = activity;
  return {
    format: 'assay-decomposition-activity',
    version: 1,
    whole: encodeFigures(whole),
    hours: hours.map((one) => ({ at: one.at, ...encodeFigures(one) })),
    days: days.map((one) => ({ at: one.at, ...encodeFigures(one) })),
    confidences: [...confidences],
    without_evidence: withoutEvidence,
    partial,
  };
}

function encodeFigures(figures: ActivityFigures): Wire['whole'] {
  return {
    runs: figures.runs,
    outputs: figures.outputs,
    error_rate: encodeMeasurement(figures.errorRate),
    concepts: encodeMeasurement(figures.concepts),
    relationships: encodeMeasurement(figures.relationships),
    confidence: encodeMeasurement(figures.confidence),
    latency_p50_ms: encodeMeasurement(figures.latencyP50),
    latency_p95_ms: encodeMeasurement(figures.latencyP95),
    latency_p99_ms: encodeMeasurement(figures.latencyP99),
    cost_usd: encodeMeasurement(figures.costUsd),
    total_cost_usd: encodeMeasurement(figures.totalCostUsd),
    verified_quotes: encodeMeasurement(figures.verified),
  };
}
