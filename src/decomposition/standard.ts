/**
 * The requirements for a run: the documented standard with the user's named changes. A changed standard has its own
 * name, so that results under different standards are never compared silently.
 */

import { createHash } from 'node:crypto';
import type { ComparePolicy } from '../judge/compare.ts';
import type { GatePolicy, OwnStandard } from '../judge/gate.ts';
import type { JudgedMetric } from '../judge/verdict.ts';
import { type Examined, metricsFor } from '../measure/measure.ts';
import { type Metric, metricKey, type Zones } from '../measure/metric.ts';
import { decompositionMetrics } from './catalog.ts';
import type { CaseEvidence } from './evidence.ts';
import { MIN_CASES, OVERALL_WEIGHTS, type OverallWeights } from './weights.ts';

export type OverallScale = 'documented' | 'attainable';

type CaseFailures = 'warn' | 'block';

/** The lines of a metric, or only its fail line. */
export type OwnLines = number | { readonly [K in keyof Zones]?: Zones[K] | undefined };

/** Replacements for the documented lines. Metrics are identified by keys such as `concept_recall`. */
export type OwnGate = {
  /** A metric with a custom fail line is gated. */
  readonly lines?: Readonly<Record<string, OwnLines>> | undefined;
  /** Neither gated nor part of the overall score. */
  readonly leaveOut?: readonly string[] | undefined;
  /** The effect of guards (relationship recall, verified provenance and others) beyond half; default: `warn`. */
  readonly guards?: 'warn' | 'block' | undefined;
  /** Minimum number of golden cases; fewer prove nothing. */
  readonly minCases?: number | undefined;
};

export type Standard = {
  readonly weights: OverallWeights;
  readonly overallScale: OverallScale;
  /** The effect of a case with a metric in the fail zone; default: `warn`. */
  readonly caseFailures?: CaseFailures | undefined;
  readonly gate?: OwnGate | undefined;
};

export const DOCUMENTED = 'documented';

/** The metrics with the active lines; custom lines also carry the documented ones. */
export function standardMetrics({ weights, gate = {} }: Standard): readonly Metric<CaseEvidence>[] {
  return decompositionMetrics(weights, gate.leaveOut).map((metric) => {
    const key = metricKey(metric.id);
    const { zones: documented } = metric;
    if (!isNamed(gate, key)) {
      return guardsIn(gate).has(key)
        ? { ...metric, zones: zonesWith(GUARD_LINE, documented, metric.better) }
        : metric;
    }
    const own = gate.lines?.[key] ?? {};
    return {
      ...metric,
      zones: zonesWith(own, documented, metric.better),
      documented: documented ?? null,
    };
  });
}

function isNamed({ lines = {} }: OwnGate, key: string): boolean {
  return Object.hasOwn(lines, key);
}

/** Keys of the guards that block. */
function guardsIn({ guards }: OwnGate): ReadonlySet<string> {
  return guards === 'block' ? GUARDS : new Set();
}

/**
 * Metrics that prevent an output from passing with only a few right items: missing relationships, quotes that are not
 * in the text or name something else, repetition, and unmentioned concepts. Their target is a warning line.
 */
const GUARDS: ReadonlySet<string> = new Set([
  'relationship_recall',
  'verified_provenance',
  'quote_names_concept',
  'duplicate_rate',
  'unmentioned_rate',
]);

/** If guards block, values beyond half fail. */
const GUARD_LINE = 0.5;

/** An unnamed line stays at its documented value, but moves if a custom line passes it. */
export function zonesWith(own: OwnLines, documented: Zones | undefined, better: 'higher' | 'lower'): Zones {
  const named = typeof own === 'number' ? { fail: own } : own;
  const best = better === 'higher' ? Math.max : Math.min;
  const worst = better === 'higher' ? Math.min : Math.max;
  const anyLine = named.fail ?? named.target ?? named.excellent ?? 0;
  const known = documented ?? { fail: anyLine, target: anyLine, excellent: anyLine };
  const fail =
    named.fail ?? worst(known.fail, named.target ?? known.target, named.excellent ?? known.excellent);
  const target =
    named.target ??
    worst(best(known.target, fail), named.excellent ?? Infinity * (better === 'higher' ? 1 : -1));
  return { fail, target, excellent: named.excellent ?? best(known.excellent, target) };
}

/** `documented`, or a name that depends on every change. */
export function standardName(standard: Standard): string {
  const { gate = {}, overallScale, caseFailures = 'warn' } = standard;
  const lines = standardMetrics(standard).flatMap(({ id, zones, documented }) =>
    documented === undefined || isSame(zones, documented) ? [] : [[id, zones]],
  );
  const left = [...(gate.leaveOut ?? [])].sort();
  const { minCases = MIN_CASES } = gate;
  const scale = `${overallScale === 'documented' ? '' : '+attainable'}${gate.guards === 'block' ? '+guards' : ''}`;
  const cases = caseFailures === 'warn' ? '' : '+case-failures';
  const own = lines.length + left.length > 0 || minCases !== MIN_CASES;
  return `${own ? `own.${shortHash([lines, left, minCases])}` : DOCUMENTED}${scale}${cases}`;
}

function isSame(zones: Zones | undefined, other: Zones | null): boolean {
  return (
    zones?.fail === other?.fail && zones?.target === other?.target && zones?.excellent === other?.excellent
  );
}

function shortHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
}

/** A description of the custom parts, and whether they require less than documented. */
export function ownStandard(standard: Standard): OwnStandard | undefined {
  const { gate = {} } = standard;
  const metrics = standardMetrics(standard);
  const out = gate.leaveOut ?? [];
  const leftOut = metrics.filter(({ id }) => out.includes(metricKey(id)));
  const moved = metrics.filter(
    ({ zones, documented }) => documented !== undefined && !isSame(zones, documented),
  );
  const { minCases = MIN_CASES } = gate;
  const weighed = sayWeights(standard.weights);
  if (leftOut.length + moved.length + weighed.length === 0 && minCases === MIN_CASES) return undefined;
  return {
    leftOut: leftOut.map(({ title }) => title),
    says: [
      ...leftOut.map(({ title }) => `${title} is excluded`),
      ...moved.map(sayMoved),
      ...(weighed.length === 0 ? [] : [`overall score weighs ${weighed.join(', ')}`]),
      ...(minCases === MIN_CASES
        ? []
        : [`at least ${minCases} ${minCases === 1 ? 'case' : 'cases'} (documented ${MIN_CASES})`]),
    ],
    looser: leftOut.length > 0 || minCases < MIN_CASES || moved.some(isLooser),
  };
}

const WEIGHED: Readonly<Record<keyof OverallWeights, string>> = {
  recall: 'recall',
  precision: 'precision',
  relationshipAccuracy: 'relationship accuracy',
  provenance: 'provenance',
  hallucinationPenalty: 'hallucinations',
};

function sayWeights(weights: OverallWeights): string[] {
  const names = Object.keys(OVERALL_WEIGHTS) as (keyof OverallWeights)[];
  return names
    .filter((name) => weights[name] !== OVERALL_WEIGHTS[name])
    .map((name) => `${WEIGHED[name]} ${weights[name]} (documented ${OVERALL_WEIGHTS[name]})`);
}

type Moved = Pick<Metric<never>, 'title' | 'better' | 'unit' | 'zones' | 'documented'>;

function sayMoved({ title, better, unit, zones, documented }: Moved): string {
  const say = (value: number) =>
    unit === 'ratio' ? `${Number((value * 100).toFixed(4))}%` : String(Number(value.toFixed(6)));
  const side = better === 'higher' ? 'below' : 'above';
  const names = ['fail', 'target', 'excellent'] as const;
  const parts = names.flatMap((name) => {
    const [yours, theirs] = [zones?.[name], documented?.[name]];
    if (yours === undefined || yours === theirs) return [];
    const word = name === 'fail' ? `fails ${side}` : name;
    return [`${word} ${say(yours)}${theirs === undefined ? '' : ` (documented ${say(theirs)})`}`];
  });
  return `${title} ${parts.join(', ')}`;
}

/** A fail line that is weaker than the documented one. */
function isLooser({ better, zones, documented }: Moved): boolean {
  if (!documented || zones === undefined) return false;
  return better === 'higher' ? zones.fail < documented.fail : zones.fail > documented.fail;
}

const OVERALL = 'decomposition/overall';
const ATTAINABLE = 'decomposition/overall-attainable';

const GATED = [
  'decomposition/concept-recall',
  'decomposition/concept-precision',
  'decomposition/relationship-accuracy',
  'decomposition/provenance-coverage',
  'decomposition/hallucination-rate',
];

/** Repeats that differ by more points than this cause a warning; it is twice the size of a regression. */
const WIDEST_SPREAD = 10;

function guardLines(standard: Standard): (readonly [id: string, line: number])[] {
  return standardMetrics(standard).flatMap(({ id, zones }) =>
    zones !== undefined && GUARDS.has(metricKey(id)) ? [[id, zones.target] as const] : [],
  );
}

/** A single canary or forbidden relationship needs attention. */
const WARNED = ['decomposition/hallucination-rate', 'decomposition/forbidden-relationship-rate'];

function overallOn(scale: OverallScale): readonly [gated: string, aside: string] {
  return scale === 'documented' ? [OVERALL, ATTAINABLE] : [ATTAINABLE, OVERALL];
}

/** Ids of the metrics that may block: the documented six and those with a custom fail line, without excluded ones. */
function gatedBy(standard: Standard): readonly string[] {
  const guards = guardsIn(standard.gate ?? {});
  const own = standardMetrics(standard).flatMap(({ id, documented, zones }) =>
    (documented !== undefined && zones?.fail !== documented?.fail) || guards.has(metricKey(id)) ? [id] : [],
  );
  const out = leftOutOf(standard);
  const all = new Set([...GATED, overallOn(standard.overallScale)[0], ...own]);
  return [...all].filter((id) => !out.includes(id));
}

/** `overall` means the score that decides, on either scale. */
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
    warnWhenWorseThan: Object.fromEntries(
      [...WARNED.map((id) => [id, 0] as const), ...guardLines(standard)].filter(([id]) => !out.includes(id)),
    ),
    ...(own && { standard: own }),
  };
}

/**
 * A fall under one point is no change. One to five points on a gated metric need a reason, and more blocks. The overall
 * score, its parts and the guards may still be approved.
 */
export function regressionPolicy(standard: Standard): ComparePolicy {
  const [overall] = overallOn(standard.overallScale);
  const blocking = gatedBy(standard);
  const guards = blocking.filter((id) => guardsIn(standard.gate ?? {}).has(metricKey(id)));
  return { blocking, approvable: [overall, ...GATED, ...guards], noisePoints: 1, blockPoints: 5 };
}

/**
 * The policy for these cases. If cases have fields, their precision and recall are gated as well; if they have only
 * fields, only those are.
 */
export function policyForCases<P extends { readonly gate: GatePolicy; readonly compare?: ComparePolicy }>(
  policy: P,
  standard: Standard,
  cases: readonly Examined<CaseEvidence>[],
): P {
  const measured = metricsFor(standardMetrics(standard), cases);
  const out = leftOutOf(standard);
  const fields = measured.flatMap(({ id, onlyWhereMeasured, zones }) =>
    onlyWhereMeasured && zones !== undefined && zones.fail > 0 && !out.includes(id) ? [id] : [],
  );
  if (fields.length === 0) return policy;
  const asksForGraph = cases.some(
    (one) =>
      'evidence' in one &&
      one.evidence.trials.some(
        ({ expected, expectedRelationships }) => expected.length + expectedRelationships.length > 0,
      ),
  );
  const { gate, compare } = policy;
  return {
    ...policy,
    gate: { ...gate, gated: [...(asksForGraph ? gate.gated : []), ...fields] },
    ...(compare && {
      compare: { ...compare, blocking: [...(asksForGraph ? compare.blocking : []), ...fields] },
    }),
  };
}

/**
 * A run that meets every target exactly has a documented overall of 0.602, which is below its own fail line. This
 * explains it to the user in one line.
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
