import { encodeWorkflowComparison } from '../../api/encode/workflow/comparison.ts';
import { AssayError } from '../../errors.ts';
import { CHOICES } from '../../operations/workflow/choices.ts';
import { compareWorkflows } from '../../operations/workflow/compare-workflows.ts';
import type { SidesFrom } from '../../operations/workflow/comparison-sides.ts';
import { compareDocument } from '../../workflow/documents/comparison.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION, type Terminal } from '../command.ts';
import { ALL_OPTION, DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { openPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';
import { exitCodeOf } from './comparison-exit.ts';
import { missingStore } from './missing-store.ts';
import {
  metricOption,
  OES_OPTION,
  oesOption,
  REVIEW_OPTIONS,
  textsOf,
  toleranceOf,
  twoTruths,
  typedOf,
} from './options.ts';

export const command: Command = {
  name: 'workflow compare',
  summary: 'Is the new version of a review better, or is the difference noise?',
  positionals: { usage: 'BASELINE CANDIDATE', max: Number.POSITIVE_INFINITY },
  options: {
    experiment: { type: 'string', value: 'PATH', doc: 'An experiment that holds both workflows' },
    runs: {
      type: 'string',
      repeatable: true,
      value: 'PATH',
      doc: 'With --truth: files or folders with runs of both workflows, which are then named; more may follow',
    },
    ...REVIEW_OPTIONS,
    ...OES_OPTION,
    primary: {
      type: 'string',
      value: 'METRIC',
      default: 'dr',
      doc: 'The metric that decides, named before looking',
    },
    insist: { type: 'boolean', doc: 'Compare although ground truth or matcher differ' },
    gate: { type: 'boolean', doc: 'Exit with 1 when it is worse, with 2 when it cannot be told' },
    format: DOCUMENT_FORMAT_OPTION,
    all: ALL_OPTION,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay workflow compare review-1 review-2 --experiment examples/workflow',
    'assay workflow compare examples/workflow/runs/review-1 examples/workflow/runs/review-2 --truth examples/workflow/truth/webhook-relay.yaml --gate',
  ],
  notes: [
    'With --truth and --runs, or with --experiment, both are names of workflows; with --truth alone they are paths of runs.',
    'Without --truth and --experiment both are names of workflows that assay workflow score has scored.',
    'Exit codes: 2 when the two cannot be compared; with --gate also 1 for worse, 2 for too few to tell.',
  ],
  run: async (args, terminal) => {
    const [baseline, candidate, ...more] = args.positionals;
    if (more.length > 0 && textOf(args, 'runs') === undefined) {
      throw new AssayError(
        'USAGE',
        `assay workflow compare takes two workflows, and "${more[0]}" is a third`,
        {
          remedy:
            'With --truth FILE, runs of both may be named with --runs PATH; a leaderboard takes many workflows.',
        },
      );
    }
    if (baseline === undefined || candidate === undefined) {
      throw new AssayError(
        'USAGE',
        'assay workflow compare needs two workflows: the baseline and the candidate',
      );
    }
    const ports = openPorts(args, terminal);
    try {
      const compared = await compareWorkflows(
        {
          baseline,
          candidate,
          from: await sidesFrom(args, terminal),
          primary: metricOption('primary', String(args.values.primary), CHOICES.comparable()),
          components: oesOption(args),
          insist: args.values.insist === true,
        },
        ports,
      );
      const { comparison, notes } = compared;
      await printResult(args, terminal, {
        json: () => encodeWorkflowComparison(compared),
        document: () => compareDocument(comparison, notes, typedOf(args, command.options)),
      });
      return exitCodeOf(comparison.verdict.verdict, args.values.gate === true);
    } finally {
      await ports.close();
    }
  },
};

async function sidesFrom(args: Arguments, terminal: Terminal): Promise<SidesFrom> {
  const { truth, experiment, runs, ...rest } = textsOf(
    args,
    'truth',
    'experiment',
    'runs',
    'documents',
    'mapping',
  );
  if (truth !== undefined && experiment !== undefined) throw twoTruths();
  if (runs !== undefined && truth === undefined)
    throw new AssayError('USAGE', 'assay workflow compare --runs also needs --truth FILE');
  const tolerance = await toleranceOf(args, terminal);
  if (truth !== undefined) {
    const files = { truth, ...rest, ...tolerance };
    return runs === undefined ? files : { ...files, runs: [runs, ...args.positionals.slice(2)] };
  }
  if (experiment !== undefined) return { experiment, ...tolerance };
  const missing = await missingStore(args, terminal);
  if (missing === undefined) return 'store';
  throw new AssayError(
    'USAGE',
    `there is no store at ${missing} to find ${args.positionals.join(' and ')} in`,
    {
      remedy: 'Name files with --truth FILE, or an experiment with --experiment DIR.',
    },
  );
}
