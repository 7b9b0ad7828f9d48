import type { RunEvidence } from '../evidence.ts';
import type { ReviewRun } from '../review.ts';
import type { GroundTruth } from '../truth.ts';

/** One workflow on one task, examined: what every report is made of. */
export type ExaminedArm = {
  readonly workflow: string;
  readonly task: string;
  readonly truth: GroundTruth;
  /** What each run reported, in the order of `runs`. */
  readonly reviews: readonly ReviewRun[];
  readonly runs: readonly RunEvidence[];
};

export function workflowsOf(arms: readonly { readonly workflow: string }[]): string[] {
  return [...new Set(arms.map(({ workflow }) => workflow))];
}

export function runsOf(arms: readonly ExaminedArm[], workflow: string): readonly RunEvidence[] {
  return arms.filter((arm) => arm.workflow === workflow).flatMap(({ runs }) => runs);
}
