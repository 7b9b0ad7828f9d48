import { metricKey } from '../measure/metric.ts';
import type { ReviewMetric } from './metric.ts';
import { categoryCoverage } from './metrics/category-coverage.ts';
import { categoryCoveragePresent } from './metrics/category-coverage-present.ts';
import { chanceLevel } from './metrics/chance-level.ts';
import { concernEfficiencyOfAll } from './metrics/concern-efficiency.ts';
import { concernEfficiencyLayerA } from './metrics/concern-efficiency-layer-a.ts';
import { concernEfficiencyLayerB } from './metrics/concern-efficiency-layer-b.ts';
import { concernEfficiencyLayerC } from './metrics/concern-efficiency-layer-c.ts';
import { costPerError } from './metrics/cost-per-error.ts';
import { depthQuality } from './metrics/depth-quality.ts';
import { detectionRate } from './metrics/detection-rate.ts';
import { detectionRateCritical } from './metrics/detection-rate-critical.ts';
import { detectionRateImportant } from './metrics/detection-rate-important.ts';
import { detectionRateMinor } from './metrics/detection-rate-minor.ts';
import { detectionRateOverErrors } from './metrics/detection-rate-over-errors.ts';
import { discoveryRate } from './metrics/discovery-rate.ts';
import { f1 } from './metrics/f1.ts';
import { findingConsistency } from './metrics/finding-consistency.ts';
import { findingConsistencyConfirmed } from './metrics/finding-consistency-confirmed.ts';
import { foundAll } from './metrics/found-all.ts';
import { foundAny } from './metrics/found-any.ts';
import { improvementDeltaWith } from './metrics/improvement-delta.ts';
import { overallEffectivenessWith } from './metrics/overall-effectiveness-score.ts';
import { precision } from './metrics/precision.ts';
import { precisionGrounded } from './metrics/precision-grounded.ts';
import { precisionJudged } from './metrics/precision-judged.ts';
import { stabilityOfDepthQuality } from './metrics/run-stability-of-depth-quality.ts';
import { stabilityOfDetectionRate } from './metrics/run-stability-of-detection-rate.ts';
import { stabilityOfPrecision } from './metrics/run-stability-of-precision.ts';
import { stabilityOfWeightedDetectionScore } from './metrics/run-stability-of-weighted-detection-score.ts';
import { timePerError } from './metrics/time-per-error.ts';
import { tokenEfficiency } from './metrics/token-efficiency.ts';
import { tokenEfficiencyNormalised } from './metrics/token-efficiency-normalised.ts';
import { weightedDetectionScore } from './metrics/weighted-detection-score.ts';
import { OES_COMPONENTS, type OesChoice } from './weights.ts';

/** Every metric, in report order: tables, JSON, CSV and pages follow this list. */
export function workflowMetrics(choice: OesChoice = { components: OES_COMPONENTS }): readonly ReviewMetric[] {
  return [
    detectionRate,
    chanceLevel,
    detectionRateCritical,
    detectionRateImportant,
    detectionRateMinor,
    weightedDetectionScore,
    tokenEfficiency,
    tokenEfficiencyNormalised,
    costPerError,
    timePerError,
    concernEfficiencyOfAll,
    concernEfficiencyLayerA,
    concernEfficiencyLayerB,
    concernEfficiencyLayerC,
    precision,
    precisionJudged,
    precisionGrounded,
    f1,
    discoveryRate,
    depthQuality,
    categoryCoverage,
    categoryCoveragePresent,
    detectionRateOverErrors,
    stabilityOfDetectionRate,
    stabilityOfWeightedDetectionScore,
    stabilityOfPrecision,
    stabilityOfDepthQuality,
    findingConsistency,
    findingConsistencyConfirmed,
    foundAny,
    foundAll,
    overallEffectivenessWith(choice),
    improvementDeltaWith(choice),
  ];
}

/** Metrics that a single run has. */
export function runMetrics(choice?: OesChoice): readonly ReviewMetric[] {
  return workflowMetrics(choice).filter(({ needs }) => needs === undefined);
}

/** The metrics whose stability the protocol requires, and the composite. */
const HISTORY = ['dr', 'wds', 'precision', 'dq', 'oes'];

/** Metrics tracked from score to score. */
export function historyMetrics(): readonly ReviewMetric[] {
  return workflowMetrics().filter(({ id }) => HISTORY.includes(metricKey(id)));
}

/** Metric names in options, JSON and CSV. */
export function metricKeys(metrics: readonly ReviewMetric[] = workflowMetrics()): readonly string[] {
  return metrics.map(({ id }) => metricKey(id));
}
