import type { z } from 'zod';
import type { BlindDesk, BlindStarted } from '../../../workflow/blind/desk.ts';
import type { Submitted } from '../../../workflow/blind/steps.ts';
import type { blindDesk, blindStarted, blindSubmitted } from '../../schema/workflow/blind.ts';
import { encodeBlindErrors, encodeBlindFindings, encodeBlindMatches } from './blind.ts';

export function encodeBlindDesk(folder: string, by: string, desk: BlindDesk): z.infer<typeof blindDesk> {
  return {
    format: 'assay-workflow-blind-desk',
    version: 1,
    folder,
    by,
    step: desk.step,
    of: 'of' in desk ? desk.of : null,
    ...(desk.step === 'assess' && { findings: encodeBlindFindings(desk.findings).findings }),
    ...(desk.step === 'predict' && desk.errors && { errors: encodeBlindErrors(desk.errors).errors }),
    ...(desk.step === 'match' && { matches: encodeBlindMatches(desk) }),
    ...(desk.step === 'check' && { waiting: [...desk.waiting], disputed: [...desk.disputed] }),
  };
}

export function encodeBlindSubmitted({ missing, receipt }: Submitted): z.infer<typeof blindSubmitted> {
  return {
    format: 'assay-workflow-blind-submitted',
    version: 1,
    missing: [...missing],
    receipt: receipt ?? null,
  };
}

export function encodeBlindStarted(folder: string, started: BlindStarted): z.infer<typeof blindStarted> {
  const { findings, reported, runs, errors, truthHash, receipt, evaluators } = started;
  return {
    format: 'assay-workflow-blind-started',
    version: 1,
    folder,
    findings,
    reported,
    runs,
    errors,
    truth_hash: truthHash,
    receipt,
    evaluators: [...evaluators],
  };
}
