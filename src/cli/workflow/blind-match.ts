import { encode } from '../../api/wire.ts';
import type { Ports } from '../../operations/ports.ts';
import {
  answerStep,
  findingsToMatch,
  matchBlindly,
  shownToMatch,
  type ToMatch,
} from '../../operations/workflow/blind.ts';
import type { Submitted } from '../../workflow/blind/steps.ts';
import {
  blindStep,
  matchView,
  sayCandidates,
  sayFinding,
  saySubmitted,
} from '../../workflow/views/blind-steps.ts';
import { defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { askAll, askMatching, type Dialogue, isDialogue, withDialogue } from './blind-dialogue.ts';
import { FOLDER, folderOf, STEP_OPTIONS, whoOf } from './blind-options.ts';

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
      const folder = folderOf(args);
      const { file } = args.values;
      const by = whoOf(args, terminal);
      const request = { folder, by, everyFinding: args.values['every-finding'] };
      const say = (result: Submitted) => saySubmitted(result, 'step 3', blindStep('status', folder));
      if (file !== undefined) {
        terminal.print(say(matchBlindly({ ...request, file }, ports)));
        return 0;
      }
      const toMatch = findingsToMatch(request);
      if (isDialogue(args)) {
        const result = await withDialogue(terminal, (talk) => matchAll(toMatch, talk, ports));
        terminal.print(result === undefined ? '' : say(result));
        return 0;
      }
      const { session, scope, open } = toMatch;
      await printResult(args, terminal, {
        json: async () =>
          encode((await import('../../api/schema/workflow-blind.ts')).blindMatches, shownToMatch(toMatch)),
        document: () => matchView(session, by, scope, open),
      });
      return 0;
    }),
});

function matchAll({ session, by, scope, open }: ToMatch, talk: Dialogue, ports: Ports) {
  const { material, state } = session;
  return askAll(talk, {
    open,
    show: (id) => `${sayFinding(material, id)}\n${sayCandidates(session, id)}`,
    ask: (id) => askMatching(talk, id, state.subjects.errors),
    hand: (answers) => answerStep(session, by, 'match', answers, ports, scope),
  });
}
