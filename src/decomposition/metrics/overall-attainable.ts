import type { Metric } from '../../measure/metric.ts';
import type { CaseEvidence } from '../evidence.ts';
import type { OverallWeights } from '../weights.ts';
import { OVERALL_EXAMPLE, overallWith, scoreOverCases } from './overall.ts';

/**
 * The documented overall score cannot exceed 0.85, but its thresholds assume a scale up to 1. This score counts the
 * penalty as 0.15 × (1 − hallucination rate), which adds 0.15. A case without a measured hallucination rate does not
 * get this addition.
 */
export function overallAttainableWith(
  weights: OverallWeights,
  without: readonly string[] = [],
): Metric<CaseEvidence> {
  const overall = overallWith(weights, without);
  return {
    id: 'decomposition/overall-attainable',
    title: 'Overall, attainable scale',
    question: 'How good is the decomposition, on a scale where a perfect run reaches 1?',
    formula: `overall + ${weights.hallucinationPenalty}, in each case whose hallucination rate was measured`,
    unit: 'score',
    range: [0, overall.range[1] + weights.hallucinationPenalty],
    better: 'higher',
    zones: { fail: 0.65, target: 0.75, excellent: 0.85 },
    example: { given: 'an overall of 0.6525', cases: [OVERALL_EXAMPLE], value: 0.8025 },
    compute: (cases) => scoreOverCases(cases, weights, weights.hallucinationPenalty, without),
  };
}
