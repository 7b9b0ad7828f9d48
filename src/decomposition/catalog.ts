import type { Metric } from '../measure/metric.ts';
import type { CaseEvidence } from './evidence.ts';
import { conceptF1 } from './metrics/concept-f1.ts';
import { conceptPrecision } from './metrics/concept-precision.ts';
import { conceptRecall } from './metrics/concept-recall.ts';
import { duplicateRate } from './metrics/duplicate-rate.ts';
import { forbiddenRelationshipRate } from './metrics/forbidden-relationship-rate.ts';
import { hallucinationRate } from './metrics/hallucination-rate.ts';
import { overallWith } from './metrics/overall.ts';
import { overallAttainableWith } from './metrics/overall-attainable.ts';
import { provenanceCoverage } from './metrics/provenance-coverage.ts';
import { relationshipAccuracy } from './metrics/relationship-accuracy.ts';
import { relationshipF1 } from './metrics/relationship-f1.ts';
import { relationshipRecall } from './metrics/relationship-recall.ts';
import { requiredRecall } from './metrics/required-recall.ts';
import { verifiedProvenance } from './metrics/verified-provenance.ts';
import { OVERALL_WEIGHTS, type OverallWeights } from './weights.ts';

/** In report order. */
export function decompositionMetrics(
  weights: OverallWeights = OVERALL_WEIGHTS,
  /** Keys of metrics that the overall score goes without. */
  without: readonly string[] = [],
): readonly Metric<CaseEvidence>[] {
  return [
    conceptRecall,
    conceptPrecision,
    conceptF1,
    relationshipAccuracy,
    provenanceCoverage,
    hallucinationRate,
    overallWith(weights, without),
    overallAttainableWith(weights, without),
    verifiedProvenance,
    relationshipRecall,
    relationshipF1,
    requiredRecall,
    duplicateRate,
    forbiddenRelationshipRate,
  ];
}
