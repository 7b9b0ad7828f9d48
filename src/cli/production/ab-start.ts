import { encode } from '../../api/wire.ts';
import { experimentStartedView } from '../../decomposition/views/experiment-views.ts';
import { startExperiment } from '../../operations/production/experiments.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { EXPERIMENT_OPTIONS, promptsToWrite } from '../decomposition/prompt-options.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'production ab start',
  summary: 'Start an experiment with two versions of a prompt on live requests',
  positionals: { usage: 'CANDIDATE', max: 1 },
  options: {
    control: {
      type: 'text',
      value: 'NAME',
      doc: 'The control version (default: the one in force)',
    },
    id: { type: 'text', value: 'NAME', doc: 'ID of the experiment (default: the candidate and the date)' },
    share: {
      type: 'number',
      min: 0.05,
      max: 0.95,
      value: 'SHARE',
      doc: 'Share of keys that get the candidate',
      default: 0.5,
    },
    primary: {
      type: 'choice',
      choices: ['acceptable', 'thumbs', 'verified-quotes', 'confidence'],
      default: 'acceptable',
      doc: 'The primary metric',
    },
    confidence: {
      type: 'number',
      min: 0.8,
      max: 0.999,
      value: 'SHARE',
      doc: 'Confidence of the interval',
      default: 0.95,
    },
    'smallest-effect': {
      type: 'number',
      above: 0,
      max: 1,
      value: 'SHARE',
      doc: 'Smallest difference that matters',
      default: 0.05,
    },
    'max-errors': {
      type: 'number',
      min: 0,
      max: 1,
      value: 'SHARE',
      doc: 'Guard rail: maximum increase of the error rate',
      default: 0.01,
    },
    'max-latency-ms': {
      type: 'number',
      min: 0,
      value: 'MS',
      doc: 'Guard rail: maximum increase of the mean latency',
      default: 500,
    },
    'max-cost-usd': {
      type: 'number',
      min: 0,
      value: 'USD',
      doc: 'Guard rail: maximum increase of the mean cost',
      default: 0.01,
    },
    format: DOCUMENT_FORMAT_OPTION,
    ...EXPERIMENT_OPTIONS,
  },
  examples: [
    'assay production ab start decompose-concepts-v1.1',
    'assay production ab start decompose-concepts-v1.1 --share 0.2 --primary thumbs --id shorter-labels',
  ],
  notes: ['The plan is recorded in the prompt ledger; after that the file of the candidate must not change.'],
  audited: ({ positionals }) => positionals[0] ?? '',
  run: async (args, terminal) => {
    const { values } = args;
    const { control, id, primary, share, confidence } = values;
    const request = {
      prompts: promptsToWrite(args, terminal),
      candidate: args.positionals[0],
      control,
      id,
      primary,
      share,
      confidence,
      smallestEffect: values['smallest-effect'],
      guards: {
        errors: values['max-errors'],
        latencyMs: values['max-latency-ms'],
        costUsd: values['max-cost-usd'],
      },
    };
    const started = await withPorts(args, terminal, (ports) => startExperiment(request, ports), 'project');
    await printResult(args, terminal, {
      document: () => experimentStartedView(started, args.given),
      json: async () => encode((await import('../../api/schema/experiments.ts')).experimentStarted, started),
    });
    return 0;
  },
});
