import { encode } from '../../api/wire.ts';
import { experimentView } from '../../decomposition/views/experiment-views.ts';
import { stopExperiment } from '../../operations/production/experiments.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { EXPERIMENT_OPTIONS, promptsToWrite } from '../decomposition/prompt-options.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'production ab stop',
  summary: 'End a production experiment and record its result in the prompt ledger',
  positionals: { usage: 'ID', max: 1 },
  options: {
    reason: { type: 'text', value: 'WHY', doc: 'Why it ends without a result' },
    format: DOCUMENT_FORMAT_OPTION,
    ...EXPERIMENT_OPTIONS,
  },
  examples: [
    'assay production ab stop shorter-labels',
    'assay production ab stop shorter-labels --reason "the service is rewritten"',
  ],
  audited: ({ positionals }) => positionals[0] ?? '',
  run: async (args, terminal) => {
    const request = {
      prompts: promptsToWrite(args, terminal),
      id: args.positionals[0],
      reason: args.values.reason,
    };
    const stopped = await withPorts(args, terminal, (ports) => stopExperiment(request, ports), 'project');
    await printResult(args, terminal, {
      document: () => experimentView(stopped, args.given),
      json: async () => encode((await import('../../api/schema/experiments.ts')).experiment, stopped),
    });
    return 0;
  },
});
