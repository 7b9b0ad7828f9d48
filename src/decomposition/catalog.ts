import type { Metric } from '../measure/metric.ts';
import type { CaseEvidence } from './evidence.ts';
import { averageConfidence } from './metrics/average-confidence.ts';
import { conceptF1 } from './metrics/concept-f1.ts';
import { conceptPrecision } from './metrics/concept-precision.ts';
import { conceptRecall } from './metrics/concept-recall.ts';
import { conceptsPerTopic } from './metrics/concepts-per-topic.ts';
import { costPerDecomposition } from './metrics/cost-per-decomposition.ts';
import { decompositionLatency } from './metrics/decomposition-latency.ts';
import { duplicateRate } from './metrics/duplicate-rate.ts';
import { fieldExactness } from './metrics/field-exactness.ts';
import { fieldPrecision } from './metrics/field-precision.ts';
import { fieldProvenance } from './metrics/field-provenance.ts';
import { fieldRecall } from './metrics/field-recall.ts';
import { forbiddenRelationshipRate } from './metrics/forbidden-relationship-rate.ts';
import { hallucinationRate } from './metrics/hallucination-rate.ts';
import { humanRatedAccuracy } from './metrics/human-rated-accuracy.ts';
import { overallWith } from './metrics/overall.ts';
import { overallAttainableWith } from './metrics/overall-attainable.ts';
import { provenanceCoverage } from './metrics/provenance-coverage.ts';
import { provenanceVerification } from './metrics/provenance-verification.ts';
import { quoteNamesConcept } from './metrics/quote-names-concept.ts';
import { relationshipAccuracy } from './metrics/relationship-accuracy.ts';
import { relationshipF1 } from './metrics/relationship-f1.ts';
import { relationshipRecall } from './metrics/relationship-recall.ts';
import { relationshipsPerTopic } from './metrics/relationships-per-topic.ts';
import { requiredRecall } from './metrics/required-recall.ts';
import { requiredRelationshipRecall } from './metrics/required-relationship-recall.ts';
import { typedRelationshipAccuracy } from './metrics/typed-relationship-accuracy.ts';
import { unmentionedRate } from './metrics/unmentioned-rate.ts';
import { userFeedbackScore } from './metrics/user-feedback-score.ts';
import { verifiedProvenance } from './metrics/verified-provenance.ts';
import type { ProductionCell } from './production/cell.ts';
import type { Watched } from './production/watched.ts';
import { OVERALL_WEIGHTS, type OverallWeights } from './weights.ts';

export function decompositionMetrics(
  weights: OverallWeights = OVERALL_WEIGHTS,
  /** Keys of metrics to leave out of the overall score. */
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
    quoteNamesConcept,
    relationshipRecall,
    relationshipF1,
    typedRelationshipAccuracy,
    requiredRecall,
    requiredRelationshipRecall,
    unmentionedRate,
    duplicateRate,
    forbiddenRelationshipRate,
    fieldPrecision,
    fieldRecall,
    fieldExactness,
    fieldProvenance,
  ];
}

/** Metrics of a production service, over all requests. */
export const OPERATIONAL_METRICS: readonly Metric<ProductionCell>[] = [
  conceptsPerTopic,
  relationshipsPerTopic,
  averageConfidence,
  decompositionLatency,
  costPerDecomposition,
];

/** Metrics of a production service, over the sampled requests. */
export const SAMPLED_METRICS: readonly Metric<Watched>[] = [
  humanRatedAccuracy,
  userFeedbackScore,
  provenanceVerification,
];
