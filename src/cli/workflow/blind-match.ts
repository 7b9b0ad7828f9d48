import { encode } from '../../api/wire.ts';
import { openStep, shownToMatch } from '../../operations/workflow/blind.ts';
import { blindStep, candidatesText, findingText, matchView } from '../../workflow/views/blind-steps.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { askMatching, runStep } from './blind-dialogue.ts';
import { evaluatorNameOf, FOLDER, folderOf, STEP_OPTIONS } from './blind-options.ts';

export const command = defineCommand({
  name: 'workflow blind match',
  summary: 'Step 3 of a blind evaluation: match findings to known errors by objective criteria, with reasons',
  positionals: FOLDER,
  options: {
    ...STEP_OPTIONS,
    'every-finding': {
      type: 'flag',
      doc: 'As third evaluator, label every finding and not only the disputed ones',
    },
  },
  examples: [
    'assay workflow blind match blind --by ada',
    'assay workflow blind match blind --by ada --list --format json',
    'assay workflow blind match blind --by ada --file matches.json',
  ],
  audited: ({ positionals, values }) => (values.list ? undefined : (positionals[0] ?? '')),
  run: (args, terminal) =>
    withPorts({ values: {} }, terminal, async (ports) => {
      const [folder, by] = [folderOf(args), evaluatorNameOf(args, terminal)];
      const everyFinding = args.values['every-finding'];
      return await runStep(args, terminal, by, ports, {
        step: 'match',
        everyFinding,
        next: blindStep('status', folder),
        open: () => openStep('match', { folder, by, everyFinding }),
        show: ({ session }, id) => `${findingText(session.material, id)}\n${candidatesText(session, id)}`,
        ask: (talk, id, { session }) => askMatching(talk, id, session.state.subjects.errors),
        list: (opened) => ({
          json: async () =>
            encode((await import('../../api/schema/workflow-blind.ts')).blindMatches, shownToMatch(opened)),
          document: () => matchView(opened.session, by, opened.scope, opened.open),
        }),
      });
    }),
});
