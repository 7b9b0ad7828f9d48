import { AssayError } from '../../errors.ts';
import { startBlind } from '../../operations/workflow/blind-start.ts';
import { sayStarted } from '../../workflow/documents/blind-steps.ts';
import { type Arguments, CONFIG_OPTION, type Command } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { textOf } from '../text-of.ts';
import { namesOf, starterOf } from './blind-options.ts';
import { LINE_TOLERANCE_OPTION, TRUTH_AND_RUNS } from './options.ts';
import { textsOf, toleranceOf } from './review-request.ts';

export const command: Command = {
  name: 'workflow blind start',
  summary: 'Begin a blind evaluation: findings are frozen, the ground truth is sealed',
  positionals: { usage: '[RUN…]', max: Number.POSITIVE_INFINITY },
  options: {
    truth: {
      type: 'string',
      value: 'FILE',
      doc: 'The ground truth: JSON, YAML, Markdown, or what another tool writes',
    },
    runs: {
      type: 'string',
      value: 'PATH…',
      repeatable: true,
      doc: 'Run files or folders with the findings to evaluate',
    },
    documents: {
      type: 'string',
      value: 'FOLDER',
      doc: 'The reviewed documents, so that quotes are looked up in them',
    },
    ...LINE_TOLERANCE_OPTION,
    ...CONFIG_OPTION,
    out: { type: 'string', value: 'FOLDER', default: 'blind', doc: 'Folder of the evaluation' },
    evaluators: {
      type: 'string',
      value: 'NAMES',
      doc: 'Who will evaluate (ada,bob): the results stay closed until all of them are done',
    },
    by: { type: 'string', value: 'NAME', doc: 'Who begins (default: your user name, if there is one)' },
  },
  examples: [
    'assay workflow blind start --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs --out blind --evaluators ada,bob',
  ],
  run: (args, terminal) =>
    withPorts(args, terminal, async (ports) => {
      const started = startBlind(
        {
          inputs: {
            truth: need('truth', textOf(args, 'truth')),
            runs: runsOf(args),
            ...textsOf(args, 'documents'),
            ...(await toleranceOf(args, terminal)),
          },
          folder: String(args.values.out),
          by: starterOf(args, terminal),
          evaluators: namesOf(args, 'evaluators'),
        },
        ports,
      );
      terminal.print(sayStarted(started));
      return 0;
    }),
};

function runsOf(args: Arguments): readonly string[] {
  const first = textOf(args, 'runs');
  const [one, ...more] = [...(first === undefined ? [] : [first]), ...args.positionals];
  return [need('runs', one), ...more];
}

function need(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new AssayError(
    'USAGE',
    `assay workflow blind start needs a ground truth and runs; --${name} is missing`,
    { remedy: TRUTH_AND_RUNS },
  );
}
