import { encodeExperimentStarted } from '../../api/encode/experiments.ts';
import { experimentStartedDocument } from '../../decomposition/documents/experiment-documents.ts';
import type { StartExperimentRequest } from '../../operations/production/start-experiment.ts';
import { startExperiment } from '../../operations/production/start-experiment.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { promptsToWrite } from '../decomposition/prompt-options.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';
import { numberOption } from './number-option.ts';
import { EXPERIMENT_OPTIONS } from './options.ts';

const OPTIONS = {
  control: {
    type: 'string',
    value: 'NAME',
    doc: 'The version it is held against (default: the one in force)',
  },
  id: { type: 'string', value: 'NAME', doc: 'What it is called (default: the candidate and the date)' },
  share: {
    type: 'string',
    value: 'SHARE',
    doc: 'Of the keys, those that get the candidate, 0.05 to 0.95',
    default: '0.5',
  },
  primary: {
    type: 'string',
    choices: ['acceptable', 'thumbs', 'verified-quotes', 'confidence'],
    default: 'acceptable',
    doc: 'What they are compared by',
  },
  confidence: { type: 'string', value: 'SHARE', doc: 'Of the interval', default: '0.95' },
  'smallest-effect': {
    type: 'string',
    value: 'SHARE',
    doc: 'Smaller differences do not matter',
    default: '0.05',
  },
  'max-errors': { type: 'string', value: 'SHARE', doc: 'So many more requests may fail', default: '0.01' },
  'max-latency-ms': {
    type: 'string',
    value: 'MS',
    doc: 'So much slower it may be on average',
    default: '500',
  },
  'max-cost-usd': {
    type: 'string',
    value: 'USD',
    doc: 'So much dearer it may be on average',
    default: '0.01',
  },
  format: DOCUMENT_FORMAT_OPTION,
  ...EXPERIMENT_OPTIONS,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'production ab start',
  summary: 'Start to compare two versions of a prompt on live requests',
  positionals: { usage: 'CANDIDATE', max: 1 },
  options: OPTIONS,
  examples: [
    'assay production ab start decompose-concepts-v1.1',
    'assay production ab start decompose-concepts-v1.1 --share 0.2 --primary thumbs --id shorter-labels',
  ],
  notes: [
    'The plan is kept in the ledger of the prompts; from then on the file of the candidate must not change.',
  ],
  run: async (args, terminal) => {
    const started = await withPorts(args, terminal, (ports) =>
      startExperiment(requestOf(args, terminal), ports),
    );
    await printResult(args, terminal, {
      document: () => experimentStartedDocument(started, givenOf(args, OPTIONS)),
      json: () => encodeExperimentStarted(started),
    });
    return 0;
  },
};

function requestOf(args: Arguments, terminal: Terminal): StartExperimentRequest {
  const [control, id] = [textOf(args, 'control'), textOf(args, 'id')];
  const named = { share: 'share', confidence: 'confidence', smallestEffect: 'smallest-effect' };
  const limits = { errors: 'max-errors', latencyMs: 'max-latency-ms', costUsd: 'max-cost-usd' };
  const numbers = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(names).flatMap(([key, option]) => {
        const value = numberOption(args, option);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  return {
    prompts: promptsToWrite(args, terminal),
    candidate: args.positionals[0],
    ...(control !== undefined && { control }),
    ...(id !== undefined && { id }),
    primary: textOf(args, 'primary') as NonNullable<StartExperimentRequest['primary']>,
    ...numbers(named),
    guards: numbers(limits),
  };
}
