import { readLedger } from '../../decomposition/prompts/ledger.ts';
import { promptFolder, SHIPPED_PROMPTS } from '../../decomposition/prompts/read-prompt.ts';
import { type PromptSurvey, surveyPrompts } from '../../decomposition/prompts/survey.ts';

export type PromptFolderRequest = {
  /** The folder of the prompts; by default the one of the project, else those of the package. */
  readonly prompts?: string;
  readonly cwd: string;
};

/** Every version of every prompt, and whether its file is as the ledger recorded it. */
export function listPromptVersions({ prompts: named, cwd }: PromptFolderRequest): PromptSurvey {
  const folder = promptFolder(named, cwd);
  const ledger = readLedger(folder);
  const prompts = surveyPrompts(folder, ledger);
  return {
    folder,
    isShipped: folder === SHIPPED_PROMPTS,
    prompts,
    tampered: prompts.filter(({ file }) => file === 'changed' || file === 'deleted'),
    fault: ledger.fault,
  };
}
