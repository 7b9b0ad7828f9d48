import { encode } from '../../api/wire.ts';
import type { Ports } from '../../operations/ports.ts';
import {
  answerStep,
  assessBlindly,
  findingsToAssess,
  openIn,
  reviseBlindly,
} from '../../operations/workflow/blind.ts';
import { formatAmount } from '../../report/number.ts';
import type { BlindSession } from '../../workflow/blind/folder.ts';
import type { Submitted } from '../../workflow/blind/steps.ts';
import { assessView, blindStep, sayFinding, saySubmitted } from '../../workflow/views/blind-steps.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { askAll, askAssessment, type Dialogue, isDialogue, withDialogue } from './blind-dialogue.ts';
import { FOLDER, folderOf, STEP_OPTIONS, whoOf } from './blind-options.ts';

export const command = defineCommand({
  name: 'workflow blind assess',
  summary: 'Step 1 of a blind evaluation: say what each finding is, before seeing the ground truth',
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
      const { file, revise } = args.values;
      const say = (by: string, result: Submitted) =>
        saySubmitted(result, 'step 1', blindStep('predict', folder, { by }));
      if (file !== undefined) {
        const request = { folder, by: whoOf(args, terminal), file };
        terminal.print(
          revise
            ? `${formatAmount(reviseBlindly(request, ports), 'changed assessment')} recorded; assay workflow blind check shows them.\n`
            : say(request.by, assessBlindly(request, ports)),
        );
        return 0;
      }
      const { session, findings } = findingsToAssess(folder);
      if (isDialogue(args)) {
        const who = whoOf(args, terminal);
        const result = await withDialogue(terminal, (talk) => assessAll(session, who, talk, ports));
        terminal.print(result === undefined ? '' : say(who, result));
        return 0;
      }
      await printResult(args, terminal, {
        json: async () =>
          encode((await import('../../api/schema/workflow-blind.ts')).blindFindings, { findings }),
        document: () => assessView(session, args.values.by),
      });
      return 0;
    }),
});

function assessAll(session: BlindSession, who: string, talk: Dialogue, ports: Ports) {
  return askAll(talk, {
    open: openIn(session, who, 'assess'),
    show: (id) => sayFinding(session.material, id),
    ask: (id) => askAssessment(talk, id),
    hand: (answers) => answerStep(session, who, 'assess', answers, ports),
  });
}
