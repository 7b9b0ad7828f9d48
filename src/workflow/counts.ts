/** What several metrics count in a run. */
import type { ErrorOutcome, FindingClass, FindingOutcome, RunEvidence } from './evidence.ts';
import { SEVERITY_POINTS } from './truth.ts';

export type RunCounts = {
  readonly matched: number;
  readonly partial: number;
  readonly missed: number;
  readonly bonus: number;
  readonly false: number;
  readonly duplicate: number;
  readonly unresolved: number;
};

export function countsOf({ findings, errors }: RunEvidence): RunCounts {
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

/** Findings that are known to be right: they match an expected error, or somebody confirmed them. */
export function isConfirmed(finding: FindingOutcome): boolean {
  return ['MATCHED', 'PARTIAL', 'BONUS_VALID'].includes(finding.class);
}

export function pointsOf({ severity }: ErrorOutcome): number {
  return SEVERITY_POINTS[severity];
}

/** Points earned and points there were. */
export function detectionPoints({ errors }: RunEvidence): { readonly earned: number; readonly most: number } {
  return {
    earned: errors.reduce((sum, error) => sum + error.credit * pointsOf(error), 0),
    most: errors.reduce((sum, error) => sum + pointsOf(error), 0),
  };
}

/** Agent and workflow together; a part that was not recorded is not taken for 0. */
export function totalTokens({
  agentTokens,
  workflowTokens,
}: RunEvidence): number | { readonly missing: string } {
  const missing = [
    ...(agentTokens === undefined ? ['agent_tokens'] : []),
    ...(workflowTokens === undefined ? ['workflow_tokens'] : []),
  ];
  if (agentTokens === undefined || workflowTokens === undefined) {
    return { missing: `the run does not say its ${missing.join(' and ')}` };
  }
  const total = agentTokens + workflowTokens;
  return total > 0 ? total : { missing: 'the run says that it used no tokens' };
}
