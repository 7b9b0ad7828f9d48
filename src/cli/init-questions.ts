import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { InitRequest } from '../operations/init/init-project.ts';
import type { ProjectFolder } from '../operations/init/look-around.ts';

type Answers = Pick<InitRequest, 'measured'> & { readonly ci: string; readonly text?: string };
type Given = { readonly [K in 'measure' | 'text' | 'ci']: string | undefined };

/** What the folder suggests, with what was typed in its place. */
export function defaultAnswers(found: ProjectFolder, { measure, text, ci }: Given): Answers {
  return {
    measured: (measure ?? (found.truths ? 'workflow' : 'decomposition')) as Answers['measured'],
    ci: ci ?? (found.gitlab ? 'gitlab' : 'github'),
    ...(text !== undefined && { text }),
  };
}

/** Three questions at most: what was typed is not asked again. */
export async function askAll(found: ProjectFolder, given: Given): Promise<Answers> {
  const suggested = defaultAnswers(found, given);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const choose = async (
    question: string,
    choices: readonly string[],
    suggestion: string,
  ): Promise<string> => {
    const answer = (await lines.question(`${question} (${choices.join(', ')}) [${suggestion}] `)).trim();
    if (answer === '') return suggestion;
    const fitting = choices.find((one) => one === answer || one.startsWith(answer));
    if (fitting !== undefined) return fitting;
    process.stderr.write(`"${answer}" is none of them.\n`);
    return choose(question, choices, suggestion);
  };
  const askText = async (): Promise<string | undefined> => {
    const answer = (
      await lines.question('A text to draft the first golden case from (a path, or nothing)? ')
    ).trim();
    if (answer === '' || existsSync(answer)) return answer === '' ? undefined : answer;
    process.stderr.write(`${answer} does not exist.\n`);
    return askText();
  };
  try {
    const kinds = ['decomposition', 'workflow', 'sessions'];
    const measured =
      given.measure ?? (await choose('What do you want to measure?', kinds, suggested.measured));
    const wanted = measured === 'decomposition' && found.golden === 0;
    const text = given.text ?? (wanted ? await askText() : undefined);
    const ci =
      given.ci ??
      (measured === 'sessions'
        ? 'none'
        : await choose('A CI step?', ['github', 'gitlab', 'none'], suggested.ci));
    return { measured, ci, ...(text !== undefined && { text }) } as Answers;
  } finally {
    lines.close();
  }
}
