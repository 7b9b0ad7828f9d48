/** Counts that several metrics share. */

import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import type { ErrorOutcome, FindingClass, FindingOutcome, RunEvidence } from './evidence.ts';
import { SEVERITY_POINTS } from './truth.ts';

export function countsOf({ findings, errors }: RunEvidence) {
  const of = (wanted: FindingClass) => findings.filter((finding) => finding.class === wanted).length;
  return {
    matched: of('MATCHED'),
    partial: of('PARTIAL'),
    missed: errors.filter(({ credit }) => credit === 0).length,
    bonus: of('BONUS_VALID'),
    false: of('FALSE'),
    duplicate: of('DUPLICATE'),
    unresolved: of('UNRESOLVED'),
  };
}

/** Findings known to be right: they match an expected error, or somebody confirmed them. */
export function isConfirmed(finding: FindingOutcome): boolean {
  return ['MATCHED', 'PARTIAL', 'BONUS_VALID'].includes(finding.class);
}

export function pointsOf({ severity }: ErrorOutcome): number {
  return SEVERITY_POINTS[severity];
}

/** Points earned and points available. */
export function detectionPoints({ errors }: RunEvidence) {
  return {
    earned: errors.reduce((sum, error) => sum + error.credit * pointsOf(error), 0),
    most: errors.reduce((sum, error) => sum + pointsOf(error), 0),
  };
}

/** Agent and workflow together; a missing part does not count as 0. */
export function totalTokens({
  agentTokens,
  workflowTokens,
}: RunEvidence): number | { readonly missing: string } {
  const missing = [
    ...(agentTokens === undefined ? ['agent_tokens'] : []),
    ...(workflowTokens === undefined ? ['workflow_tokens'] : []),
  ];
  if (agentTokens === undefined || workflowTokens === undefined) {
    return { missing: `the run has no ${missing.join(' and ')}` };
  }
  const total = agentTokens + workflowTokens;
  return total > 0 ? total : { missing: 'the run reports no tokens' };
}

/** Number of categories with an expected error, and how many of them have a detected one. */
export function detectedCategories({ errors }: RunEvidence) {
  return {
    detected: new Set(errors.filter(({ credit }) => credit > 0).map(({ category }) => category)).size,
    present: new Set(errors.map(({ category }) => category)).size,
  };
}

/** For each expected error, in the order of the ground truth: in how many repeated runs it was found. */
export function errorsAcross(runs: readonly RunEvidence[]) {
  const found = new Map<string, number>();
  for (const { errors } of runs) {
    for (const { id, credit } of errors) found.set(id, (found.get(id) ?? 0) + (credit > 0 ? 1 : 0));
  }
  return [...found].map(([id, count]) => ({ id, found: count }));
}

/** The share of errors found often enough, over at least two runs. */
export function shareFound(
  runs: readonly RunEvidence[],
  enough: (found: number, runs: number) => boolean,
): Measurement {
  if (runs.length < 2) return unmeasured('needs at least two runs');
  const errors = errorsAcross(runs);
  if (errors.length === 0) return unmeasured('the ground truth expects no errors');
  const share = errors.filter(({ found }) => enough(found, runs.length)).length / errors.length;
  return estimate(100 * share, runs.length);
}

export type FindingAcross = ReturnType<typeof findingsAcross>[number];

/** Every distinct finding of repeated runs, most frequent first; by default only confirmed ones. */
export function findingsAcross(
  runs: readonly RunEvidence[],
  counts: (finding: FindingOutcome) => boolean = isConfirmed,
) {
  const found = runs.flatMap(({ findings }) => [
    ...new Map(findings.filter(counts).map((finding) => [finding.identity, finding])).values(),
  ]);
  return [...Map.groupBy(found, ({ identity }) => identity)]
    .map(([identity, own]) => ({
      identity,
      title: own[0]?.title ?? '',
      error: own[0]?.error,
      /** Number of runs with this finding. */
      runs: own.length,
      /** In more than half of the runs: only these are reported as confirmed. */
      confirmed: own.length * 2 > runs.length,
    }))
    .sort((a, b) => b.runs - a.runs || (a.identity < b.identity ? -1 : 1));
}
