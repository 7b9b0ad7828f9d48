import { readAnswers } from '../../workflow/blind/answers.ts';
import { readSession } from '../../workflow/blind/folder.ts';
import { shownFinding } from '../../workflow/blind/material.ts';
import { reviseAssessments, type Submitted, submit } from '../../workflow/blind/steps.ts';
import type { Ports } from '../ports.ts';

/** Step 1 shows the findings and nothing else: the ground truth stays sealed. */
export function findingsToAssess(folder: string) {
  const session = readSession(folder);
  return { session, findings: session.material.findings.map(shownFinding) };
}

export type AssessRequest = { readonly folder: string; readonly by: string; readonly file: string };

export function assessBlindly({ folder, by, file }: AssessRequest, { now }: Pick<Ports, 'now'>): Submitted {
  return submit(folder, { who: by, now }, 'assess', readAnswers('assess', file));
}

/** How many sealed assessments were changed; each change is recorded as a sign of bias. */
export function reviseBlindly({ folder, by, file }: AssessRequest, { now }: Pick<Ports, 'now'>): number {
  return reviseAssessments(folder, { who: by, now }, readAnswers('assess', file));
}
