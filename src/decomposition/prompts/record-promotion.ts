import { recordImpact } from './changelog.ts';
import { caseNotes } from './impact.ts';
import { appendLedger } from './ledger.ts';
import type { Promotion } from './promotion.ts';
import { dateOf, editChangelog, versionOf } from './prompt-folder.ts';
import { type Prompt, type PromptName, parsePromptName } from './read-prompt.ts';

const ACTIONS = { promote: 'promoted', hold: 'held', reject: 'rejected' } as const;

/** The decision as the CHANGELOG and a report say it. */
export const DECISION_WORDS = { promote: 'Promoted', hold: 'Held', reject: 'Rejected' } as const;

export type PromotionRecord = {
  readonly at: string;
  readonly who: string;
  /** What was measured, for the comparison with the next version. */
  readonly result: object;
  /** The same in words. */
  readonly measured: string;
  /** Why it was decided so, in words. */
  readonly reasons: readonly string[];
};

/** The CHANGELOG is for people and the ledger for checking; both get the decision, whatever it is. */
export async function recordPromotion(
  folder: string,
  prompt: Prompt,
  { decision, impact: rows, cases, before }: Promotion,
  { at, who, result, measured, reasons }: PromotionRecord,
): Promise<void> {
  const { outcome } = decision;
  await appendLedger(folder, {
    at,
    who,
    action: ACTIONS[outcome],
    prompt: prompt.name,
    sha256: prompt.hash,
    from: before,
    reasons: [...reasons],
    result,
  });
  const parsed = parsePromptName(prompt.name) as PromptName;
  const beforeVersion = before === undefined ? undefined : parsePromptName(before);
  const impact = {
    ...(before !== undefined && { before: beforeVersion ? versionOf(beforeVersion) : before }),
    rows,
  };
  const note = `${DECISION_WORDS[outcome]} on ${dateOf(at)} by ${who}: ${reasons.join('; ')}`;
  const version = { stem: parsed.stem, version: versionOf(parsed), date: dateOf(at) };
  await editChangelog(folder, (log) =>
    recordImpact(log, version, impact, [...caseNotes(cases), measured, note]),
  );
}
