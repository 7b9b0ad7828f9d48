import type { ComparePolicy } from '../judge/compare.ts';
import type { GatePolicy } from '../judge/gate.ts';

const GATED = [
  'decomposition/concept-recall',
  'decomposition/concept-precision',
  'decomposition/relationship-accuracy',
  'decomposition/provenance-coverage',
  'decomposition/hallucination-rate',
];

/** Any of the six in the fail zone blocks; a single canary warns. */
export function gatePolicy(scale: 'documented' | 'attainable'): GatePolicy {
  const overall = scale === 'documented' ? 'decomposition/overall' : 'decomposition/overall-attainable';
  return { gated: [...GATED, overall], warnWhenWorseThan: { 'decomposition/hallucination-rate': 0 } };
}

/** Under one point is no change; more than five points down on the overall score needs an approval. */
export const REGRESSION_POLICY: ComparePolicy = {
  blocking: ['decomposition/overall'],
  noisePoints: 1,
  blockPoints: 5,
};
