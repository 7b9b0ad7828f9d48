import { versionBefore } from '../../decomposition/prompts/next-version.ts';
import { namedVersion } from '../../decomposition/prompts/prompt-folder.ts';
import { listPrompts, promptFolder, readPrompt } from '../../decomposition/prompts/read-prompt.ts';
import { diffLines, type PromptDiff } from '../../decomposition/prompts/text-diff.ts';
import { AssayError } from '../../errors.ts';
import type { PromptFolderRequest } from './list-prompt-versions.ts';

export type DiffPromptsRequest = PromptFolderRequest & {
  /** By default the version before `after`. */
  readonly before?: string;
  readonly after: string | undefined;
};

/** What changed between two versions of a prompt, line by line. */
export function diffPrompts({ prompts, cwd, ...named }: DiffPromptsRequest): PromptDiff {
  const folder = promptFolder(prompts, cwd);
  const after = namedVersion(named.after).name;
  const before =
    named.before === undefined ? versionBefore(listPrompts(folder), after) : namedVersion(named.before).name;
  if (before === undefined) throw new AssayError('USAGE', `there is no version before ${after}; name two`);
  const lines = diffLines(readPrompt(folder, before).text, readPrompt(folder, after).text);
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
  return { before, after, added: count('added'), removed: count('removed'), lines };
}
