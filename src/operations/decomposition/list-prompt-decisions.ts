import { type LedgerDecision, type LedgerEntry, readLedger } from '../../decomposition/prompts/ledger.ts';
import { promptFolder } from '../../decomposition/prompts/read-prompt.ts';
import type { PromptFolderRequest } from './list-prompt-versions.ts';

export type PromptDecisions = {
  readonly folder: string;
  /** Newest first; what was measured for them is left out. */
  readonly decisions: readonly LedgerDecision[];
  /** Where the ledger is broken; what follows is not trusted and not told. */
  readonly fault?: string;
};

/** What was made, promoted, held, rejected and rolled back, by whom and why. */
export function listPromptDecisions({ prompts, cwd }: PromptFolderRequest): PromptDecisions {
  const folder = promptFolder(prompts, cwd);
  const { entries, fault } = readLedger(folder);
  return {
    folder,
    decisions: entries.map(decisionOf).toReversed(),
    fault,
  };
}

function decisionOf({ seq, at, who, action, prompt, sha256, from, reasons }: LedgerEntry): LedgerDecision {
  return { seq, at, who, action, prompt, sha256, reasons, from };
}
