import type { z } from 'zod';
import type { Measurement } from '../../measure/metric.ts';
import type { decompositionActivity } from '../schema/decomposition-activity.ts';
import { encodeMeasurement } from './measurement.ts';

type Wire = z.infer<typeof decompositionActivity>;

type Figures = {
  readonly runs: number;
  readonly outputs: number;
  readonly errorRate: Measurement;
  readonly concepts: Measurement;
  readonly relationships: Measurement;
  readonly confidence: Measurement;
  readonly latencyP50: Measurement;
  readonly latencyP95: Measurement;
  readonly latencyP99: Measurement;
  readonly costUsd: Measurement;
  readonly totalCostUsd: Measurement;
  readonly verified: Measurement;
};

type Activity = {
  readonly whole: Figures;
  readonly hours: readonly (Figures & { readonly at: string })[];
  readonly days: readonly (Figures & { readonly at: string })[];
  readonly confidences: readonly number[];
  readonly withoutEvidence: number;
  readonly partial: boolean;
};

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

function encodeFigures(figures: Figures): Wire['whole'] {
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
