import { errorsToPredict, predictBlindly } from '../../operations/workflow/blind-predict.ts';
import { plain } from '../../report/unsafe-text.ts';
import { askPrediction, type Dialogue } from '../../workflow/blind/dialogue.ts';
import type { BlindSession } from '../../workflow/blind/folder.ts';
import { shownStatement } from '../../workflow/blind/material.ts';
import { evaluatorOf, missingFor } from '../../workflow/blind/protocol.ts';
import { type Submitted, submit } from '../../workflow/blind/steps.ts';
import { blindStep, predictDocument, saySubmitted } from '../../workflow/documents/blind-steps.ts';
import type { Command } from '../command.ts';
import { printResult } from '../print-result.ts';
import { FOLDER, folderOf, isDialogue, STEP_OPTIONS, whoOf, withDialogue } from './blind-options.ts';

export const command: Command = {
  name: 'workflow blind predict',
  summary: 'Step 2 of a blind evaluation: see the known errors and say which the review will have caught',
  positionals: FOLDER,
  options: STEP_OPTIONS,
  examples: [
    'assay workflow blind predict blind --by ada',
    'assay workflow blind predict blind --by ada --list --format json',
    'assay workflow blind predict blind --by ada --file predictions.json',
  ],
  run: async (args, terminal) => {
    const folder = folderOf(args);
    const by = whoOf(args, terminal);
    const { file } = args.values;
    const say = (result: Submitted) => saySubmitted(result, 'step 2', blindStep('match', folder, { by }));
    if (typeof file === 'string') {
      terminal.print(say(predictBlindly({ folder, by, file })));
      return 0;
    }
    const { session, errors } = errorsToPredict({ folder, by });
    if (isDialogue(args)) {
      const result = await withDialogue(terminal, (talk) => predictAll(session, by, talk));
      terminal.print(result === undefined ? '' : say(result));
      return 0;
    }
    await printResult(args, terminal, {
      json: () => ({ errors }),
      document: () => predictDocument(session, by),
    });
    return 0;
  },
};

async function predictAll(
  session: BlindSession,
  who: string,
  talk: Dialogue,
): Promise<Submitted | undefined> {
  const { folder, material, state } = session;
  const open = missingFor(state, evaluatorOf(state, who), 'predict', 'all');
  let result = open.length === 0 ? submit(folder, who, 'predict', []) : undefined;
  const errors = material.truth.errors.filter(({ id }) => open.includes(id));
  for (const [index, error] of errors.entries()) {
    const { id, severity, category, description } = shownStatement(error);
    talk.say(
      `\n${index + 1} of ${errors.length}\n${plain(`${id}  ${severity} ${category}: ${description}`)}\n`,
    );
    const answer = await askPrediction(talk, id);
    if (answer === undefined) break;
    result = submit(folder, who, 'predict', [answer]);
  }
  return result;
}
