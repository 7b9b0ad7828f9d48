import { type Verification, verifySession } from '../../workflow/blind/verify.ts';
import { readTruth } from '../../workflow/ingest/import-truth.ts';

export type VerifyRequest = {
  readonly folder: string;
  /** `COUNT:HASH` as a seal printed it. */
  readonly receipt?: string;
  /** The file that should be the sealed ground truth. */
  readonly truth?: string;
};

/** Is the evaluation as it was written? */
export function verifyBlind({ folder, receipt, truth }: VerifyRequest): Omit<Verification, 'session'> {
  const { session: _session, ...verification } = verifySession(folder, {
    receipt,
    ...(truth !== undefined && { truthHash: readTruth(truth).hash }),
  });
  return verification;
}
