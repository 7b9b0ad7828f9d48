import { encodeWorkflowComparison } from '../../api/encode/workflow/comparison.ts';
import { CHOICES } from '../../operations/workflow/choices.ts';
import { compareWorkflows } from '../../operations/workflow/compare-workflows.ts';
import { compareDocument } from '../../workflow/documents/comparison.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { ALL_OPTION, DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { openPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { sidesFrom, twoWorkflows } from './compare-request.ts';
import { metricOption } from './metric-options.ts';
import { oesOption } from './oes-option.ts';
import { OES_OPTION, REVIEW_OPTIONS } from './options.ts';
import { typedOf } from './review-request.ts';

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
    const { baseline, candidate } = twoWorkflows(args);
    const ports = openPorts(args, terminal);
    try {
      const compared = await compareWorkflows(
        {
          baseline,
          candidate,
          from: await sidesFrom(args, terminal),
          primary: metricOption('primary', String(args.values.primary), CHOICES.comparable()),
          ...(await oesOption(args, terminal)),
          insist: args.values.insist === true,
          gated: args.values.gate === true,
        },
        ports,
      );
      const { comparison, notes, known } = compared;
      await printResult(args, terminal, {
        json: () => encodeWorkflowComparison(compared),
        document: () => compareDocument(comparison, notes, typedOf(args, command.options), known),
      });
      return comparison.verdict.gate.exitCode;
    } finally {
      await ports.close();
    }
  },
};
