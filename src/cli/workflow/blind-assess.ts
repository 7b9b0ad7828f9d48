import { encode } from '../../api/wire.ts';
import { findingsToAssess, handInRevisions, openStep } from '../../operations/workflow/blind.ts';
import { formatAmount } from '../../report/number.ts';
import { assessView, blindStep, findingText } from '../../workflow/views/blind-steps.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { askAssessment, runStep } from './blind-dialogue.ts';
import { evaluatorNameOf, FOLDER, folderOf, STEP_OPTIONS } from './blind-options.ts';

export const command = defineCommand({
  name: 'workflow blind assess',
  summary: 'Step 1 of a blind evaluation: assess each finding before seeing the ground truth',
  positionals: FOLDER,
  options: {
    ...STEP_OPTIONS,
    revise: { type: 'flag', doc: 'Change sealed assessments; recorded as a sign of bias' },
  },
  examples: [
    'assay workflow blind assess blind --by ada',
    'assay workflow blind assess blind --list --format json',
    'assay workflow blind assess blind --by ada --file assessments.json',
  ],
  audited: ({ positionals, values }) => (values.list ? undefined : (positionals[0] ?? '')),
  run: (args, terminal) =>
    withPorts({ values: {} }, terminal, async (ports) => {
      const folder = folderOf(args);
      const { file, revise, list } = args.values;
      // A list is the same for everybody.
      const by = list ? (args.values.by ?? '') : evaluatorNameOf(args, terminal);
      if (file !== undefined && revise) {
        const changed = handInRevisions({ folder, by, file }, ports);
        terminal.print(
          `${formatAmount(changed, 'changed assessment')} recorded; assay workflow blind check shows them.\n`,
        );
        return 0;
      }
      return await runStep(args, terminal, by, ports, {
        step: 'assess',
        next: blindStep('predict', folder, { by }),
        open: () => openStep('assess', { folder, by }),
        show: ({ session }, id) => findingText(session.material, id),
        ask: askAssessment,
        list: ({ session }) => ({
          json: async () =>
            encode((await import('../../api/schema/workflow-blind.ts')).blindFindings, {
              findings: findingsToAssess(session),
            }),
          document: () => assessView(session, args.values.by),
        }),
      });
    }),
});
