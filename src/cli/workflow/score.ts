import { encodeEach, encodeLazily } from '../../api/wire.ts';
import { AssayError } from '../../errors.ts';
import { CHOICES } from '../../operations/workflow/defaults.ts';
import { scoreReviews } from '../../operations/workflow/score-reviews.ts';
import type { Minimums } from '../../workflow/policy.ts';
import { scoreView } from '../../workflow/views/score.ts';
import { scoreRows, scoreTable } from '../../workflow/views/score-metrics.ts';
import {
  ALL_OPTION,
  CONFIG_OPTION,
  defineCommand,
  FORMAT_OPTION,
  type Pairs,
  STORING_OPTIONS,
  type StoreArguments,
  type Terminal,
} from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { filesOf, matchingOf, OES_OPTION, oesOption, REVIEW_OPTIONS, typedOf } from './options.ts';

export const command = defineCommand({
  name: 'workflow score',
  summary: 'Score the runs of a review against a ground truth: what it finds, how well, how steadily',
  positionals: { usage: '[RUN…]', max: Number.POSITIVE_INFINITY },
  options: {
    runs: {
      type: 'path',
      repeatable: true,
      value: 'PATH',
      doc: 'Files or folders with runs; more may follow as positional arguments',
    },
    ...REVIEW_OPTIONS,
    ...OES_OPTION,
    workflow: {
      type: 'text',
      value: 'NAME',
      doc: 'Score only this workflow; also the name of runs in formats that have none',
    },
    min: {
      type: 'pairs',
      number: true,
      keys: CHOICES.gateable,
      value: 'KEY=N,…',
      doc: 'Exit with 1 when a metric is below its minimum, e.g. dr=60,precision=0.7; may be repeated',
    },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...STORING_OPTIONS,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay workflow score --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs/review-1',
    'assay workflow score --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs/review-2/*/*.json --documents examples/workflow/documents',
    'assay workflow score --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs --workflow review-2 --min dr=60,precision=0.7',
  ],
  run: async (args, terminal) => {
    const request = {
      inputs: { ...filesOf(args, 'workflow score'), ...(await matchingOf(args, terminal)) },
      workflow: args.values.workflow,
      ...(await oesOption(args, terminal)),
      minimums: await minimumsOf(args, terminal),
    };
    return await withPorts(args, terminal, async (ports) => {
      const scored = await scoreReviews(request, ports);
      await printResult(args, terminal, {
        jsonl: async () =>
          encodeEach((await import('../../api/schema/workflow.ts')).scoreRow, scoreRows(scored.summary)),
        csv: () => scoreTable(scored.summary),
        json: async () => encodeLazily((await import('../../api/schema/workflow.ts')).scoredReviews, scored),
        document: () => scoreView(scored, typedOf(args)),
      });
      return scored.verdict.gate.exitCode;
    });
  },
});

/** Those of the configuration, overridden by the command line. */
async function minimumsOf(
  args: StoreArguments & { readonly values: { readonly min?: Pairs<number> } },
  terminal: Terminal,
): Promise<Minimums> {
  const { config } = await readSettings(args, terminal);
  const minimums = new Map([...Object.entries(config.workflow.minimums), ...(args.values.min ?? [])]);
  for (const [key, value] of minimums) {
    const fault = CHOICES.minimumFault(key, value);
    if (fault !== undefined)
      throw new AssayError('USAGE', `--min: ${fault.message}`, { remedy: fault.remedy });
  }
  return minimums;
}
