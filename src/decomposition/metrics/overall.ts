import { composite } from '../../judge/composite.ts';
import type { Measurement, Metric } from '../../measure/metric.ts';
import { meanOverCases } from '../../measure/over-cases.ts';
import { type CaseEvidence, evidenceWith } from '../evidence.ts';
import { OVERALL_WEIGHTS, type OverallWeights } from '../weights.ts';
import { conceptPrecision } from './concept-precision.ts';
import { conceptRecall } from './concept-recall.ts';
import { hallucinationRate } from './hallucination-rate.ts';
import { provenanceCoverage } from './provenance-coverage.ts';
import { relationshipAccuracy } from './relationship-accuracy.ts';

/** The weights can be set in the configuration; the declaration stays the same. */
export function overallWith(weights: OverallWeights): Metric<CaseEvidence> {
  const best = weights.recall + weights.precision + weights.relationshipAccuracy + weights.provenance;
  return {
    id: 'decomposition/overall',
    title: 'Overall score',
    question: 'How good is the decomposition, in one number?',
    formula: `${weights.recall} × recall + ${weights.precision} × precision + ${weights.relationshipAccuracy} × relationship accuracy + ${weights.provenance} × provenance − ${weights.hallucinationPenalty} × hallucination rate`,
    unit: 'score',
    range: [-weights.hallucinationPenalty, best],
    better: 'higher',
    zones: { fail: 0.65, target: 0.75, excellent: 0.85 },
    example: {
      given:
        'recall 0.72, precision 0.80, relationship accuracy 0.70, provenance 0.90, hallucination rate 0.05',
      cases: [OVERALL_EXAMPLE],
      value: 0.6525,
    },
    compute: (cases) => meanOverCases(cases, (one) => overallOfCase(one, weights)),
  };
}

export const OVERALL_EXAMPLE: CaseEvidence = evidenceWith({
  extracted: 20,
  correct: 16,
  quoted: 18,
  canaries: 1,
  expected: 25,
  found: 18,
  relationships: 40,
  correctRelationships: 28,
});

/** One case; what could not be measured is missing from the score and from its coverage. */
export function overallOfCase(evidence: CaseEvidence, weights: OverallWeights): Measurement {
  const part = (metric: Metric<CaseEvidence>, weight: number) => ({
    id: metric.id,
    weight,
    measurement: metric.compute([evidence]),
  });
  return composite([
    part(conceptRecall, weights.recall),
    part(conceptPrecision, weights.precision),
    part(relationshipAccuracy, weights.relationshipAccuracy),
    part(provenanceCoverage, weights.provenance),
    part(hallucinationRate, -weights.hallucinationPenalty),
  ]).measurement;
}

export const overall: Metric<CaseEvidence> = overallWith(OVERALL_WEIGHTS);
