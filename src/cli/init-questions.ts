import { statSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { ProjectFolder } from '../operations/init/look-around.ts';
import { type Answers, defaultAnswers, type InitGiven } from './init-answers.ts';

const TEXT = 'A text to draft a golden case from';
const REVIEW = 'A review to draft a ground truth from';

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Three questions at most: what was typed is not asked again. */
export async function askAll(found: ProjectFolder, given: InitGiven): Promise<Answers> {
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
  const askFile = async (question: string, suggestion: string | undefined): Promise<string | undefined> => {
    const hint = suggestion === undefined ? '(a path, or nothing)?' : `(a path, or none) [${suggestion}]`;
    const answer = (await lines.question(`${question} ${hint} `)).trim();
    if (answer === '') return suggestion;
    if (answer === 'none' || isFile(answer)) return answer === 'none' ? undefined : answer;
    process.stderr.write(`${answer} is no file that is there.\n`);
    return askFile(question, suggestion);
  };
  try {
    const kinds = ['decomposition', 'workflow', 'sessions'];
    const measured =
      given.measure ?? (await choose('What do you want to measure?', kinds, suggested.measured));
    const [wantsCase, wantsTruth] = [
      measured === 'decomposition' && found.golden === 0,
      measured === 'workflow' && found.truths.length === 0,
    ];
    const text = given.text ?? (wantsCase ? await askFile(TEXT, found.text) : undefined);
    const review = given.review ?? (wantsTruth ? await askFile(REVIEW, found.review) : undefined);
    const ci =
      given.ci ??
      (measured === 'sessions'
        ? 'none'
        : await choose('A CI step?', ['github', 'gitlab', 'none'], suggested.ci));
    return {
      measured,
      ci,
      text,
      review,
    } as Answers;
  } finally {
    lines.close();
  }
}
