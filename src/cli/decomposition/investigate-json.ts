import type { JudgedMetric } from '../../judge/verdict.ts';
import { metricKey } from '../../measure/metric.ts';
import type { Investigated } from './investigate-document.ts';
import { type Investigation, inZone } from './investigation.ts';

/** Everything, for programs. */
export function investigationJson({ date, cases, clean, errored, notes }: Investigated) {
  return {
    format: 'assay-decomposition-investigation',
    version: 1,
    date,
    cases: cases.map(caseJson),
    nothing_wrong: clean,
    errored,
    notes,
  };
}

function caseJson(one: Investigation) {
  const { findings, conclusions } = one;
  const keys = (metrics: readonly JudgedMetric[]) => metrics.map(({ id }) => metricKey(id));
  return {
    id: one.id,
    prompt_version: one.promptVersion,
    failing: keys(inZone(one, 'fail')),
    below_target: keys(inZone(one, 'below target')),
    runs: findings.runs,
    totals: findings.totals,
    metrics: Object.fromEntries(
      one.metrics.map(({ id, measurement, zone }) => [
        metricKey(id),
        measurement.measured
          ? { value: measurement.value, zone: zone ?? null }
          : { value: null, zone: null, reason: measurement.reason },
      ]),
    ),
    missed: findings.missed,
    unexpected: findings.extras,
    duplicates: findings.duplicates,
    wrong_relationships: findings.relationships.wrong,
    missed_relationships: findings.relationships.missed,
    confusion: findings.relationships.confusion,
    quotes: findings.quotes,
    suspicions: findings.suspicions,
    checklist: one.checklist,
    symptoms: conclusions.symptoms,
    root_cause: conclusions.rootCause,
    proposed_fix: conclusions.proposedFix,
    verification_plan: one.plan,
  };
}
