/** One case, investigated: its numbers, what its evidence says, and how to go on. */
import { decompositionMetrics } from '../../decomposition/catalog.ts';
import { evidenceAt, type MatchLevel } from '../../decomposition/evidence.ts';
import { type Answer, checklist } from '../../decomposition/investigate/checklist.ts';
import { type Conclusions, conclusionsOn } from '../../decomposition/investigate/conclusions.ts';
import { type Findings, findingsOn, isClean } from '../../decomposition/investigate/findings.ts';
import { gatePolicy } from '../../decomposition/policy.ts';
import { type JudgedMetric, judgeMetrics } from '../../judge/verdict.ts';
import type { Zone } from '../../judge/zone.ts';
import { measureAll } from '../../measure/measure.ts';
import { formatMeasurement, formatValue } from '../../report/number.ts';
import type { Settings } from '../settings.ts';
import type { CaseRuns } from './investigate-input.ts';
import type { Step } from './verification-plan.ts';

export type Investigation = {
  readonly id: string;
  /** `not recorded` where neither the outputs nor the command line say it. */
  readonly promptVersion: string;
  readonly metrics: readonly JudgedMetric[];
  readonly gated: readonly JudgedMetric[];
  readonly clean: boolean;
  readonly findings: Findings;
  readonly conclusions: Conclusions;
  readonly checklist: readonly Answer[];
  readonly plan: readonly Step[];
};

export function investigationOf(
  { golden, evidence, outputs }: Extract<CaseRuns, { evidence: unknown }>,
  { config }: Settings,
  level: MatchLevel,
  prompt: string | undefined,
  planFor: (prompt: string | undefined, findings: Findings) => readonly Step[],
): Investigation {
  const { weights, overallScale } = config.decomposition;
  const declared = decompositionMetrics(weights);
  const metrics = judgeMetrics(declared, measureAll(declared, [evidenceAt(evidence, level)]));
  const { gated } = gatePolicy(overallScale);
  const findings = findingsOn(golden, evidence, outputs, level);
  const versions = [...new Set(outputs.flatMap(({ promptVersion }) => promptVersion ?? []))];
  const known = prompt ?? (versions.length === 1 ? versions[0] : undefined);
  return {
    id: golden.id,
    promptVersion: sayVersions(prompt === undefined ? versions : [prompt]),
    metrics,
    gated: metrics.filter(({ id }) => gated.includes(id)),
    clean: isClean(findings),
    findings,
    conclusions: conclusionsOn(findings),
    checklist: checklist(findings),
    plan: planFor(known, findings),
  };
}

/** A version is a short name; what a model wrote there instead is not repeated as one. */
function sayVersions(versions: readonly string[]): string {
  const names = versions.filter((version) => /^[\w.-]{1,100}$/.test(version));
  if (versions.length === 0) return 'not recorded';
  return names.length < versions.length ? 'recorded, but not as the name of a version' : names.join(', ');
}

export function inZone({ gated }: Investigation, zone: Zone): JudgedMetric[] {
  return gated.filter((metric) => metric.zone === zone);
}

/** `Concept recall 55.6% (fails below 60.0%)`. */
export function sayFailing(metric: JudgedMetric): string {
  const { title, unit, measurement, zones, better } = metric;
  const line =
    zones === undefined
      ? ''
      : ` (fails ${better === 'higher' ? 'below' : 'above'} ${formatValue(zones.fail, unit)})`;
  return `${title} ${formatMeasurement(measurement, unit)}${line}`;
}

/** The worst first: what fails before what does not, then by the overall score. */
export function worstFirst(one: Investigation, other: Investigation): number {
  const fails = (some: Investigation) => inZone(some, 'fail').length;
  return fails(other) - fails(one) || overallOf(one) - overallOf(other) || (one.id < other.id ? -1 : 1);
}

/** Where there is no score at all there is nothing good either. */
export function overallOf({ metrics }: Investigation): number {
  const overall = metrics.find(({ id }) => id === 'decomposition/overall')?.measurement;
  return overall?.measured ? overall.value : Number.NEGATIVE_INFINITY;
}
