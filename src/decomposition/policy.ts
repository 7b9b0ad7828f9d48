import type { ComparePolicy } from '../judge/compare.ts';
import type { GatePolicy } from '../judge/gate.ts';
import type { JudgedMetric } from '../judge/verdict.ts';
import { metricKey } from '../measure/metric.ts';
import { type OverallScale, ownStandard, type Standard, standardMetrics } from './standard.ts';
import { MIN_CASES, type OverallWeights } from './weights.ts';

const OVERALL = 'decomposition/overall';
const ATTAINABLE = 'decomposition/overall-attainable';

const GATED = [
  'decomposition/concept-recall',
  'decomposition/concept-precision',
  'decomposition/relationship-accuracy',
  'decomposition/provenance-coverage',
  'decomposition/hallucination-rate',
];

/** Repeats that differ by more points than this are worth a warning: it is the size of a regression twice over. */
const WIDEST_SPREAD = 10;

/** One canary or forbidden relationship is worth a look. */
const WARNED = ['decomposition/hallucination-rate', 'decomposition/forbidden-relationship-rate'];

/** The overall score that decides on this scale, and the one beside it. */
function overallOn(scale: OverallScale): readonly [gated: string, aside: string] {
  return scale === 'documented' ? [OVERALL, ATTAINABLE] : [ATTAINABLE, OVERALL];
}

/** Ids of the metrics that may block: the documented six and those with a fail line of yours, without what is left out. */
function gatedBy(standard: Standard): readonly string[] {
  const own = standardMetrics(standard).flatMap(({ id, documented, zones }) =>
    documented !== undefined && zones?.fail !== documented?.fail ? [id] : [],
  );
  const out = leftOutOf(standard);
  const all = new Set([...GATED, overallOn(standard.overallScale)[0], ...own]);
  return [...all].filter((id) => !out.includes(id));
}

/** `overall` is the score that decides, whatever its scale. */
function leftOutOf({ gate, overallScale }: Standard): readonly string[] {
  const keys = gate?.leaveOut ?? [];
  const both = keys.includes(metricKey(OVERALL)) ? [overallOn(overallScale)[0]] : [];
  return [...keys.map((key) => `decomposition/${key.replaceAll('_', '-')}`), ...both];
}

/** Any gated metric in the fail zone blocks; a single canary or forbidden relationship warns. */
export function gatePolicy(standard: Standard): GatePolicy {
  const [, other] = overallOn(standard.overallScale);
  const gated = gatedBy(standard);
  const out = leftOutOf(standard);
  const own = ownStandard(standard);
  return {
    gated,
    aside: [...(gated.includes(other) ? [] : [other]), ...out],
    caseFailures: standard.caseFailures ?? 'warn',
    minCases: standard.gate?.minCases ?? MIN_CASES,
    widestSpread: WIDEST_SPREAD,
    warnWhenWorseThan: Object.fromEntries(WARNED.filter((id) => !out.includes(id)).map((id) => [id, 0])),
    ...(own && { standard: own }),
  };
}

/**
 * Under one point is no change; one to five points down on any gated metric asks for a reason, and more blocks. Only the
 * overall score may be let through all the same.
 */
export function regressionPolicy(standard: Standard): ComparePolicy {
  const [overall] = overallOn(standard.overallScale);
  return { blocking: gatedBy(standard), approvable: [overall], noisePoints: 1, blockPoints: 5 };
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
