import type { ExtractionFigures } from '../../decomposition/suite-run.ts';
import { encodeMeasurement } from './measurement.ts';

/** What golden cases and production have in common. */
export function encodeExtractionFigures(figures: ExtractionFigures) {
  return {
    error_rate: encodeMeasurement(figures.errorRate),
    concepts: encodeMeasurement(figures.concepts),
    relationships: encodeMeasurement(figures.relationships),
    confidence: encodeMeasurement(figures.confidence),
    latency_p50_ms: encodeMeasurement(figures.latencyP50),
    latency_p95_ms: encodeMeasurement(figures.latencyP95),
    latency_p99_ms: encodeMeasurement(figures.latencyP99),
    cost_usd: encodeMeasurement(figures.costUsd),
    total_cost_usd: encodeMeasurement(figures.totalCostUsd),
  };
}
