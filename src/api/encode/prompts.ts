import type { z } from 'zod';
import { reasonText } from '../../decomposition/documents/decision-words.ts';
import type { LedgerDecision, Rollback } from '../../decomposition/prompts/ledger.ts';
import type { StartedVersion } from '../../decomposition/prompts/next-version.ts';
import type { Promotion } from '../../decomposition/prompts/promotion.ts';
import type { PromptSurvey } from '../../decomposition/prompts/survey.ts';
import type { PromptDiff } from '../../decomposition/prompts/text-diff.ts';
import type {
  promptDecisions,
  promptDiff,
  promptList,
  promptPromotion,
  promptRollback,
  promptStarted,
} from '../schema/prompts.ts';

export function encodePrompts({ folder, prompts, fault }: PromptSurvey): z.infer<typeof promptList> {
  return {
    format: 'assay-prompts',
    version: 1,
    folder,
    fault: fault ?? null,
    prompts: prompts.map(({ name, state, file, since, who }) => ({
      prompt: name,
      state,
      file,
      since: since ?? null,
      who: who ?? null,
    })),
  };
}

type Decisions = {
  readonly folder: string;
  readonly decisions: readonly LedgerDecision[];
  readonly fault?: string;
};

export function encodeDecisions({ folder, decisions, fault }: Decisions): z.infer<typeof promptDecisions> {
  return {
    format: 'assay-prompt-decisions',
    version: 1,
    folder,
    fault: fault ?? null,
    decisions: decisions.map(({ from, ...one }) => ({ ...one, from: from ?? null })),
  };
}

export function encodeStarted({ name, path, from }: StartedVersion): z.infer<typeof promptStarted> {
  return { format: 'assay-prompt-started', version: 1, prompt: name, path, from };
}

export function encodeDiff({ before, after, added, removed, lines }: PromptDiff): z.infer<typeof promptDiff> {
  const changed = lines.flatMap(({ kind, text }) => (kind === 'same' ? [] : [{ kind, text }]));
  return { format: 'assay-prompt-diff', version: 1, before, after, added, removed, lines: changed };
}

export function encodePromotion({
  prompt,
  decision,
  before,
  impact,
}: Promotion): z.infer<typeof promptPromotion> {
  return {
    format: 'assay-prompt-promotion',
    version: 1,
    prompt,
    decision: decision.outcome,
    reasons: decision.reasons.map(reasonText),
    before: before ?? null,
    impact: impact.map(({ metric, before: was, after, delta }) => ({ metric, before: was, after, delta })),
  };
}

export function encodeRollback({ from, to }: Rollback): z.infer<typeof promptRollback> {
  return { format: 'assay-prompt-rollback', version: 1, in_force: to, from };
}
