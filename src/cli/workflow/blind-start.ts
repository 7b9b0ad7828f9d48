import { startBlind } from '../../operations/workflow/blind.ts';
import { startedText } from '../../workflow/views/blind-steps.ts';
import { CONFIG_OPTION, defineCommand } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { namesIn, starterOf } from './blind-options.ts';
import { filesOf, MATCHING_OPTIONS, matchingOf } from './options.ts';

export const command = defineCommand({
  name: 'workflow blind start',
  summary: 'Start a blind evaluation: freeze the findings and seal the ground truth',
  positionals: { usage: '[RUN…]', max: Number.POSITIVE_INFINITY },
  options: {
    truth: {
      type: 'path',
      value: 'FILE',
      doc: 'The ground truth: JSON, YAML, Markdown, or the output of another tool',
    },
    runs: {
      type: 'path',
      value: 'PATH…',
      repeatable: true,
      doc: 'Run files or folders with the findings to evaluate',
    },
    documents: {
      type: 'path',
      value: 'FOLDER',
      doc: 'The reviewed documents, to look up quotes',
    },
    ...MATCHING_OPTIONS,
    ...CONFIG_OPTION,
    out: { type: 'path', value: 'FOLDER', default: 'blind', doc: 'Folder of the evaluation' },
    evaluators: {
      type: 'list',
      value: 'NAMES',
      doc: 'Evaluators (ada,bob): the results stay sealed until all are done',
    },
    by: { type: 'text', value: 'NAME', doc: 'Who starts it (default: your user name, if there is one)' },
  },
  examples: [
    'assay workflow blind start --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs --out blind --evaluators ada,bob',
  ],
  audited: ({ positionals }) => positionals[0] ?? '',
  run: (args, terminal) =>
    withPorts(args, terminal, async (ports) => {
      const inputs = { ...filesOf(args, 'workflow blind start'), ...(await matchingOf(args, terminal)) };
      const folder = args.values.out;
      const evaluators = namesIn(args.values.evaluators);
      const started = startBlind({ inputs, folder, by: starterOf(args, terminal), evaluators }, ports);
      terminal.print(startedText(started));
      return 0;
    }),
});
