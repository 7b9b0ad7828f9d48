import { type BiasCheck, checkBias } from '../../workflow/blind/bias-check.ts';
import { type BlindSession, readSession } from '../../workflow/blind/folder.ts';
import { openResults } from '../../workflow/blind/steps.ts';
import { readTruth } from '../../workflow/ingest/import-truth.ts';

/** Opening the results ends the evaluation, so who is left out and what stays undecided is said first. */
export type OpenRequest = {
  readonly folder: string;
  /** Asked only when the results are not open yet: who reads them again needs no name. */
  readonly by: () => string;
  readonly without: readonly string[];
  readonly leaveDisputes: boolean;
  /** The file that must be the sealed ground truth. */
  readonly truth?: string;
};

export function openBlind({ folder, by, without, leaveDisputes, truth }: OpenRequest): BlindSession {
  const who = readSession(folder).state.opened === undefined ? by() : '';
  return openResults(folder, who, {
    without,
    leaveDisputes,
    ...(truth !== undefined && { truthHash: readTruth(truth).hash }),
  });
}

/** Step 4: agreement, calibration and signs of bias. */
export function checkBlind(request: OpenRequest): BiasCheck {
  const { material, state } = openBlind(request);
  return checkBias(material, state);
}
