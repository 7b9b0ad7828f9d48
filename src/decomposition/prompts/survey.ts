/** Every version of every prompt, with what the ledger says of it and whether its file is still what it was. */
import { inForce, type Ledger, type LedgerEntry, recordedHash } from './ledger.ts';
import { listPrompts, parsePromptName, readPrompt } from './read-prompt.ts';

export type SurveyedPrompt = {
  readonly name: string;
  readonly stem: string;
  readonly state: 'in force' | 'promoted before' | 'rejected' | 'held' | 'not promoted';
  /** Before anything is decided about a version it may change: `draft`. */
  readonly file: 'as recorded' | 'as created' | 'draft' | 'changed' | 'deleted' | 'not recorded';
  readonly since?: string;
  readonly who?: string;
};

export type PromptSurvey = {
  readonly folder: string;
  /** The prompts of the package, which nobody writes to. */
  readonly isShipped: boolean;
  readonly prompts: readonly SurveyedPrompt[];
  /** Where the ledger is broken. */
  readonly fault?: string;
  /** Those whose file is not what was decided on. */
  readonly tampered: readonly SurveyedPrompt[];
};

export function surveyPrompts(folder: string, ledger: Ledger): SurveyedPrompt[] {
  const listed = listPrompts(folder);
  const gone = [...new Set(ledger.entries.map(({ prompt }) => prompt))].flatMap((name) => {
    const parsed = parsePromptName(name);
    return parsed === undefined || listed.some((one) => one.name === name) ? [] : [parsed];
  });
  return [...listed, ...gone].map(({ name, stem }) => {
    const decided = ledger.entries.findLast(
      ({ prompt, action }) => prompt === name && action !== 'created' && !isOfExperiment(action),
    );
    const there = listed.some((one) => one.name === name);
    return {
      name,
      stem,
      state: stateOf(name, decided, inForce(ledger, stem)),
      file: there ? fileState(readPrompt(folder, name).hash, name, ledger) : 'deleted',
      ...(decided && { since: decided.at, who: decided.who }),
    };
  });
}

/** An experiment is no decision about what is in force. */
function isOfExperiment(action: LedgerEntry['action']): boolean {
  return action === 'experiment started' || action === 'experiment stopped';
}

function stateOf(
  name: string,
  decided: LedgerEntry | undefined,
  promoted: readonly LedgerEntry[],
): SurveyedPrompt['state'] {
  if (promoted[0]?.prompt === name) return 'in force';
  if (promoted.some(({ prompt }) => prompt === name)) return 'promoted before';
  return decided?.action === 'rejected' ? 'rejected' : decided?.action === 'held' ? 'held' : 'not promoted';
}

/** A version is written until it is decided about; from then on it stays as it is. */
function fileState(hash: string, name: string, ledger: Ledger): SurveyedPrompt['file'] {
  const recorded = recordedHash(ledger, name);
  if (recorded !== undefined) return recorded === hash ? 'as recorded' : 'changed';
  const created = ledger.entries.find(({ prompt }) => prompt === name);
  if (created === undefined) return 'not recorded';
  return created.sha256 === hash ? 'as created' : 'draft';
}
