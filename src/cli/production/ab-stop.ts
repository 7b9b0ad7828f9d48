import { encodeExperiment } from '../../api/encode/experiments.ts';
import { experimentDocument } from '../../decomposition/documents/experiment-documents.ts';
import { stopExperiment } from '../../operations/production/stop-experiment.ts';
import type { Command } from '../command.ts';
import { promptsToWrite } from '../decomposition/prompt-options.ts';
import { DOCUMENT_FORMAT_OPTION } from '../format-options.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';
import { EXPERIMENT_OPTIONS } from './options.ts';

const OPTIONS = {
  reason: { type: 'string', value: 'WHY', doc: 'Why it ends before it has found anything' },
  format: DOCUMENT_FORMAT_OPTION,
  ...EXPERIMENT_OPTIONS,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'production ab stop',
  summary: 'End an experiment in production; what it found is kept in the ledger of the prompts',
  positionals: { usage: 'ID', max: 1 },
  options: OPTIONS,
  examples: [
    'assay production ab stop shorter-labels',
    'assay production ab stop shorter-labels --reason "the service is rewritten"',
  ],
  run: async (args, terminal) => {
    const request = {
      prompts: promptsToWrite(args, terminal),
      id: args.positionals[0],
      reason: textOf(args, 'reason'),
    };
    const stopped = await withPorts(args, terminal, (ports) => stopExperiment(request, ports));
    await printResult(args, terminal, {
      document: () => experimentDocument(stopped, givenOf(args, OPTIONS)),
      json: () => encodeExperiment(stopped),
    });
    return 0;
  },
};
