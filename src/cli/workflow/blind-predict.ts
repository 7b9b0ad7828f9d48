import { encode } from '../../api/wire.ts';
import type { Ports } from '../../operations/ports.ts';
import { answerStep, errorsToPredict, openIn, predictBlindly } from '../../operations/workflow/blind.ts';
import type { BlindSession } from '../../workflow/blind/folder.ts';
import type { Submitted } from '../../workflow/blind/steps.ts';
import { blindStep, predictView, sayStatement, saySubmitted } from '../../workflow/views/blind-steps.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { askAll, askPrediction, type Dialogue, isDialogue, withDialogue } from './blind-dialogue.ts';
import { FOLDER, folderOf, STEP_OPTIONS, whoOf } from './blind-options.ts';

export const command = defineCommand({
  name: 'workflow blind predict',
  summary: 'Step 2 of a blind evaluation: see the known errors and say which the review will have caught',
  positionals: FOLDER,
  options: STEP_OPTIONS,
  examples: [
    'assay workflow blind predict blind --by ada',
    'assay workflow blind predict blind --by ada --list --format json',
    'assay workflow blind predict blind --by ada --file predictions.json',
  ],
  audited: ({ positionals, values }) => (values.list ? undefined : (positionals[0] ?? '')),
  run: (args, terminal) =>
    withPorts({ values: {} }, terminal, async (ports) => {
      const folder = folderOf(args);
      const by = whoOf(args, terminal);
      const { file } = args.values;
      const say = (result: Submitted) => saySubmitted(result, 'step 2', blindStep('match', folder, { by }));
      if (file !== undefined) {
        terminal.print(say(predictBlindly({ folder, by, file }, ports)));
        return 0;
      }
      const { session, errors } = errorsToPredict({ folder, by }, ports);
      if (isDialogue(args)) {
        const result = await withDialogue(terminal, (talk) => predictAll(session, errors, by, talk, ports));
        terminal.print(result === undefined ? '' : say(result));
        return 0;
      }
      await printResult(args, terminal, {
        json: async () =>
          encode((await import('../../api/schema/workflow-blind.ts')).blindErrors, { errors }),
        document: () => predictView(session, by),
      });
      return 0;
    }),
});

function predictAll(
  session: BlindSession,
  errors: ReturnType<typeof errorsToPredict>['errors'],
  who: string,
  talk: Dialogue,
  ports: Ports,
) {
  return askAll(talk, {
    open: openIn(session, who, 'predict'),
    show: (id) => sayStatement(errors, id),
    ask: (id) => askPrediction(talk, id),
    hand: (answers) => answerStep(session, who, 'predict', answers, ports),
  });
}
