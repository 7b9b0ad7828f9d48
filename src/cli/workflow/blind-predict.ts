import { encode } from '../../api/wire.ts';
import { errorsToPredict } from '../../operations/workflow/blind.ts';
import { blindStep, predictView, statementText } from '../../workflow/views/blind-steps.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { askPrediction, runStep } from './blind-dialogue.ts';
import { evaluatorNameOf, FOLDER, folderOf, STEP_OPTIONS } from './blind-options.ts';

export const command = defineCommand({
  name: 'workflow blind predict',
  summary: 'Step 2 of a blind evaluation: see the known errors and predict which ones the review found',
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
      const [folder, by] = [folderOf(args), evaluatorNameOf(args, terminal)];
      return await runStep(args, terminal, by, ports, {
        step: 'predict',
        next: blindStep('match', folder, { by }),
        open: () => errorsToPredict({ folder, by }, ports),
        show: ({ errors }, id) => statementText(errors, id),
        ask: askPrediction,
        list: ({ session, errors }) => ({
          json: async () =>
            encode((await import('../../api/schema/workflow-blind.ts')).blindErrors, { errors }),
          document: () => predictView(session, by),
        }),
      });
    }),
});
