import { composite } from '../../judge/composite.ts';
import { type Measurement, type Metric, metricKey, unmeasured } from '../../measure/metric.ts';
import { type Share, shareOf } from '../../measure/over-cases.ts';
import type { CaseEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { overTrials } from '../over-trials.ts';
import { OVERALL_WEIGHTS, type OverallWeights } from '../weights.ts';
import { conceptPrecision, correctConcepts } from './concept-precision.ts';
import { conceptRecall, foundConcepts } from './concept-recall.ts';
import { forbiddenConcepts, hallucinationRate } from './hallucination-rate.ts';
import { provenanceCoverage, quotedConcepts } from './provenance-coverage.ts';
import { correctRelationships, relationshipAccuracy } from './relationship-accuracy.ts';

/**
 * Weights come from the configuration; the declaration stays the same. `without`: keys of excluded parts; their weights
 * go to the others, as for unmeasured parts.
 */
export function overallWith(weights: OverallWeights, without: readonly string[] = []): Metric<CaseEvidence> {
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
    compute: (cases) => scoreOverCases(cases, weights, 0, without),
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

/** `bonus` is added if the hallucination rate was measured; without hallucinations it is earned in full. */
export function scoreOverCases(
  cases: readonly CaseEvidence[],
  weights: OverallWeights,
  bonus: number,
  without: readonly string[] = [],
): Measurement {
  return overTrials(cases, {
    count: (trial): PartCounts => [
      foundConcepts(trial),
      correctConcepts(trial),
      correctRelationships(trial),
      quotedConcepts(trial),
      forbiddenConcepts(trial),
    ],
    perTrial: (counts) => scoreOf(counts, weights, bonus, without),
    pooled: (counts) => {
      const score = scoreOf(counts, weights, bonus, without);
      return score.measured ? score.value : undefined;
    },
  });
}

/** Keys that are part of the score; excluding any other metric changes no number. */
export function overallWithout(keys: readonly string[]): readonly string[] {
  const parts = [
    conceptRecall,
    conceptPrecision,
    relationshipAccuracy,
    provenanceCoverage,
    hallucinationRate,
  ];
  return keys.filter((key) => parts.some(({ id }) => metricKey(id) === key));
}

type PartCounts = readonly [
  recall: Share,
  precision: Share,
  relationships: Share,
  provenance: Share,
  forbidden: Share,
];

/** Unmeasured parts are missing from the score and reduce its coverage. */
function scoreOf(
  counts: PartCounts,
  weights: OverallWeights,
  bonus: number,
  without: readonly string[],
): Measurement {
  const [recall, precision, relationships, provenance, forbidden] = counts;
  const part = ({ id }: Metric<CaseEvidence>, weight: number, share: Share) => ({
    id,
    weight,
    measurement: without.includes(metricKey(id))
      ? unmeasured('left out')
      : shareOf(share, 'nothing to divide by'),
  });
  const { measurement } = composite([
    part(conceptRecall, weights.recall, recall),
    part(conceptPrecision, weights.precision, precision),
    part(relationshipAccuracy, weights.relationshipAccuracy, relationships),
    part(provenanceCoverage, weights.provenance, provenance),
    part(hallucinationRate, -weights.hallucinationPenalty, forbidden),
  ]);
  const penalised = forbidden.of > 0 && !without.includes(metricKey(hallucinationRate.id));
  return measurement.measured && penalised
    ? { ...measurement, value: measurement.value + bonus }
    : measurement;
}

export const overall: Metric<CaseEvidence> = overallWith(OVERALL_WEIGHTS);
