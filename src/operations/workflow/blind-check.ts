import { type BiasCheck, checkBias } from '../../workflow/blind/bias-check.ts';
import { type BlindSession, readSession } from '../../workflow/blind/folder.ts';
import { openResults } from '../../workflow/blind/steps.ts';
import { readTruth } from '../../workflow/ingest/import-truth.ts';
import type { Ports } from '../ports.ts';

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

export function openBlind(request: OpenRequest, { now }: Pick<Ports, 'now'>): BlindSession {
  const { folder, by, without, leaveDisputes, truth } = request;
  const who = readSession(folder).state.opened === undefined ? by() : '';
  return openResults(
    folder,
    { who, now },
    {
      without,
      leaveDisputes,
      ...(truth !== undefined && { truthHash: readTruth(truth).hash }),
    },
  );
}

/** Step 4: agreement, calibration and signs of bias. */
export function checkBlind(request: OpenRequest, ports: Pick<Ports, 'now'>): BiasCheck {
  const { material, state } = openBlind(request, ports);
  return checkBias(material, state);
}
