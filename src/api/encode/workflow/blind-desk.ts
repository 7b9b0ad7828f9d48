import type { z } from 'zod';
import type { shownFinding, shownStatement } from '../../../workflow/blind/material.ts';
import type { Submitted } from '../../../workflow/blind/steps.ts';
import type { blindDesk, blindStarted, blindSubmitted } from '../../schema/workflow/blind.ts';
import { encodeBlindErrors, encodeBlindFindings, encodeBlindMatches } from './blind.ts';

type Desk =
  | {
      readonly step: 'assess';
      readonly of: number;
      readonly findings: readonly ReturnType<typeof shownFinding>[];
    }
  | {
      readonly step: 'predict';
      readonly of: number;
      readonly errors?: readonly ReturnType<typeof shownStatement>[];
    }
  | ({ readonly step: 'match'; readonly of: number } & Parameters<typeof encodeBlindMatches>[0])
  | { readonly step: 'check'; readonly waiting: readonly string[]; readonly disputed: readonly string[] }
  | { readonly step: 'opened' };

export function encodeBlindDesk(folder: string, by: string, desk: Desk): z.infer<typeof blindDesk> {
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

type Started = {
  readonly findings: number;
  readonly reported: number;
  readonly runs: number;
  readonly errors: number;
  readonly truthHash: string;
  readonly receipt: string;
  readonly evaluators: readonly string[];
};

export function encodeBlindStarted(folder: string, started: Started): z.infer<typeof blindStarted> {
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
