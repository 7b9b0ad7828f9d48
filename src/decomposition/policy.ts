import type { ComparePolicy } from '../judge/compare.ts';
import type { GatePolicy } from '../judge/gate.ts';
import type { JudgedMetric } from '../judge/verdict.ts';
import type { OverallWeights } from './weights.ts';

const OVERALL = 'decomposition/overall';
const ATTAINABLE = 'decomposition/overall-attainable';

export type OverallScale = 'documented' | 'attainable';

const GATED = [
  'decomposition/concept-recall',
  'decomposition/concept-precision',
  'decomposition/relationship-accuracy',
  'decomposition/provenance-coverage',
  'decomposition/hallucination-rate',
];

/** What a case with a metric in the fail zone does to a run. */
export type CaseFailures = 'warn' | 'block';

/** Fewer golden cases prove nothing. */
const MIN_CASES = 5;

/** Repeats that differ by more points than this are worth a warning: it is the size of a regression twice over. */
const WIDEST_SPREAD = 10;

/** The overall score that decides on this scale, and the one beside it. */
function overallOn(scale: OverallScale): readonly [gated: string, aside: string] {
  return scale === 'documented' ? [OVERALL, ATTAINABLE] : [ATTAINABLE, OVERALL];
}

/** Any of the six in the fail zone blocks; a single canary or forbidden relationship warns. */
export function gatePolicy(scale: OverallScale, caseFailures: CaseFailures = 'warn'): GatePolicy {
  const [overall, other] = overallOn(scale);
  return {
    gated: [...GATED, overall],
    aside: [other],
    caseFailures,
    minCases: MIN_CASES,
    widestSpread: WIDEST_SPREAD,
    warnWhenWorseThan: {
      'decomposition/hallucination-rate': 0,
      'decomposition/forbidden-relationship-rate': 0,
    },
  };
}

/**
 * Under one point is no change; one to five points down on any gated metric asks for a reason, and more blocks. Only the
 * overall score may be let through all the same.
 */
export function regressionPolicy(scale: OverallScale): ComparePolicy {
  const [overall] = overallOn(scale);
  return { blocking: [...GATED, overall], approvable: [overall], noisePoints: 1, blockPoints: 5 };
}

/**
 * A run that meets every target exactly has a documented overall of 0.602, which its own lines call a fail. Whoever
 * sees that needs to know why, in one line.
 */
export function explainOverall(
  metrics: readonly JudgedMetric[],
  weights: OverallWeights,
  scale: OverallScale,
): string[] {
  const overall = metrics.find(({ id }) => id === OVERALL);
  const attainable = metrics.find(({ id }) => id === ATTAINABLE)?.measurement;
  const others = metrics.filter(({ id, zone }) => GATED.includes(id) && zone !== undefined);
  const allMet = others.length > 0 && others.every(({ zone }) => zone === 'pass' || zone === 'excellent');
  if (overall?.zone !== 'fail' || !allMet || !attainable?.measured) return [];
  const best = weights.recall + weights.precision + weights.relationshipAccuracy + weights.provenance;
  const [most, now] = [best, attainable.value].map((value) => value.toFixed(2));
  const gate =
    scale === 'attainable'
      ? 'which the gate uses'
      : "decomposition.overallScale: 'attainable' gates on that one";
  return [
    `${overall.title} is in the fail zone although every other metric meets its target, because a perfect run reaches ${most} on the documented scale; on the attainable scale it is ${now} (${gate}).`,
  ];
}
