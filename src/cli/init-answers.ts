import type { InitRequest } from '../operations/init/init-project.ts';
import type { ProjectFolder } from '../operations/init/look-around.ts';

export type Answers = Pick<InitRequest, 'measured'> & {
  readonly ci: string;
  readonly text?: string;
  readonly review?: string;
};
export type InitGiven = {
  readonly [K in 'measure' | 'text' | 'review' | 'ci' | 'transcripts']: string | undefined;
};

/** What the folder suggests, with what was typed in its place. */
export function defaultAnswers(found: ProjectFolder, given: InitGiven): Answers {
  const { measure, text, review, ci } = given;
  return {
    measured: (measure ?? suggestionOf(found, given)) as Answers['measured'],
    ci: ci ?? (found.gitlab ? 'gitlab' : 'github'),
    text,
    review,
  };
}

/** What was pointed to, else what lies in the folder, else what this machine has plenty of. */
function suggestionOf(found: ProjectFolder, { text, review, transcripts }: InitGiven): Answers['measured'] {
  if (text !== undefined) return 'decomposition';
  if (review !== undefined || found.truths.length > 0) return 'workflow';
  const { golden, prompts, promptfoo, text: aText } = found;
  if (golden > 0 || prompts || promptfoo !== undefined) return 'decomposition';
  if (found.review !== undefined) return 'workflow';
  return aText === undefined && transcripts !== undefined ? 'sessions' : 'decomposition';
}
