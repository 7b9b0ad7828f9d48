import { encode } from '../../api/wire.ts';
import { AssayError } from '../../errors.ts';
import { compareWorkflows } from '../../operations/workflow/compare-workflows.ts';
import type { SidesFrom } from '../../operations/workflow/comparison-sides.ts';
import { CHOICES } from '../../operations/workflow/defaults.ts';
import { didYouMean } from '../../suggest.ts';
import { compareView } from '../../workflow/views/comparison.ts';
import {
  ALL_OPTION,
  DOCUMENT_FORMAT_OPTION,
  defineCommand,
  type Options,
  type SomeArguments,
  STORE_OPTIONS,
  type Terminal,
} from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { matchingOf, OES_OPTION, oesOption, REVIEW_OPTIONS, twoTruths, typedOf } from './options.ts';

const OPTIONS = {
  experiment: { type: 'path', value: 'PATH', doc: 'An experiment that contains both workflows' },
  runs: {
    type: 'path',
    repeatable: true,
    value: 'PATH',
    doc: 'With --truth: files or folders with runs of both workflows, which are then named; more may follow',
  },
  ...REVIEW_OPTIONS,
  ...OES_OPTION,
  primary: {
    type: 'text',
    value: 'METRIC',
    doc: 'The metric that decides, named before looking, e.g. f1 (default: dr; oes with --rule documented)',
  },
  rule: {
    type: 'choice',
    choices: ['paired', 'documented'],
    default: 'paired',
    doc: 'What decides: errors and runs, or the documented rule |difference| > 2 × pooled SD',
  },
  'on-this-set': { type: 'flag', doc: 'With --gate: pass when better on this error set only' },
  insist: { type: 'flag', doc: 'Compare even if ground truth or matcher differ' },
  gate: { type: 'flag', doc: 'Exit with 1 when it is worse, with 2 when there is too little evidence' },
  format: DOCUMENT_FORMAT_OPTION,
  all: ALL_OPTION,
  ...STORE_OPTIONS,
} as const satisfies Options;

type CompareArguments = SomeArguments<typeof OPTIONS>;

export const command = defineCommand({
  name: 'workflow compare',
  summary: 'Test whether the new version of a review is better, or the difference is noise',
  positionals: { usage: 'BASELINE CANDIDATE', max: Number.POSITIVE_INFINITY },
  options: OPTIONS,
  examples: [
    'assay workflow compare review-1 review-2 --experiment examples/workflow',
    'assay workflow compare examples/workflow/runs/review-1 examples/workflow/runs/review-2 --truth examples/workflow/truth/webhook-relay.yaml --gate',
  ],
  notes: [
    'With --truth and --runs, or with --experiment, both are names of workflows; with --truth alone they are paths of runs.',
    'Without --truth and --experiment both are names of workflows that assay workflow score has scored.',
    'Exit codes: 2 when the two cannot be compared; with --gate also 1 for worse or mixed, 2 for too few to tell and for better on this error set only.',
  ],
  run: async (args, terminal) => {
    const { baseline, candidate } = twoWorkflows(args);
    return await withPorts(args, terminal, async (ports) => {
      const compared = await compareWorkflows(
        {
          baseline,
          candidate,
          from: await sidesFrom(args, terminal),
          primary: args.values.primary === undefined ? undefined : comparedBy(args.values.primary),
          rule: args.values.rule,
          ...(await oesOption(args, terminal)),
          insist: args.values.insist,
          gated: args.values.gate,
          onThisSet: args.values['on-this-set'],
        },
        ports,
      );
      const { comparison, notes, known } = compared;
      await printResult(args, terminal, {
        json: async () => encode((await import('../../api/schema/workflow.ts')).workflowComparison, compared),
        document: () => compareView(comparison, notes, typedOf(args), known),
      });
      return comparison.verdict.gate.exitCode;
    });
  },
});

function comparedBy(key: string): string {
  const keys = CHOICES.comparable();
  if (keys.includes(key)) return key;
  throw new AssayError('USAGE', `--primary: there is no metric "${key}"${didYouMean(key, keys)}`, {
    remedy: `It is one of ${keys.join(', ')}.`,
  });
}

function twoWorkflows(args: CompareArguments): { readonly baseline: string; readonly candidate: string } {
  const [baseline, candidate, ...more] = args.positionals;
  if (more.length > 0 && args.values.runs === undefined) {
    throw new AssayError('USAGE', `assay workflow compare takes two workflows, and "${more[0]}" is a third`, {
      remedy:
        'Runs of both may be named by themselves: --truth truth/relay.yaml --runs runs/; a leaderboard takes many workflows.',
    });
  }
  if (baseline === undefined || candidate === undefined) {
    throw new AssayError(
      'USAGE',
      'assay workflow compare needs two workflows: the baseline and the candidate',
    );
  }
  return { baseline, candidate };
}

async function sidesFrom(args: CompareArguments, terminal: Terminal): Promise<SidesFrom> {
  const { truth, experiment, runs, documents } = args.values;
  if (truth !== undefined && experiment !== undefined) throw twoTruths();
  if (runs !== undefined && truth === undefined)
    throw new AssayError('USAGE', 'assay workflow compare --runs also needs a ground truth', {
      remedy: 'E.g. --truth truth/relay.yaml.',
    });
  const matching = await matchingOf(args, terminal);
  if (truth !== undefined) {
    const files = { truth, documents, ...matching };
    return runs === undefined ? files : { ...files, runs: [runs, ...args.positionals.slice(2)] };
  }
  if (experiment !== undefined) return { experiment, ...matching };
  return 'store';
}
