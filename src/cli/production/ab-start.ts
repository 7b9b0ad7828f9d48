import { encodeExperimentStarted } from '../../api/encode/experiments.ts';
import { experimentStartedDocument } from '../../decomposition/documents/experiment-documents.ts';
import { startExperiment } from '../../operations/production/start-experiment.ts';
import type { Command } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { startRequest } from './ab-start-request.ts';
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
      startExperiment(startRequest(args, terminal), ports),
    );
    await printResult(args, terminal, {
      document: () => experimentStartedDocument(started, givenOf(args, OPTIONS)),
      json: () => encodeExperimentStarted(started),
    });
    return 0;
  },
};
