import { encode } from '../../api/wire.ts';
import { experimentsView, experimentView } from '../../decomposition/views/experiment-views.ts';
import { readExperiments } from '../../operations/production/experiments.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { EXPERIMENT_OPTIONS, promptsToRead } from '../decomposition/prompt-options.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'production ab status',
  summary: 'Show current results of production experiments; looking often does not bias them',
  positionals: { usage: '[ID]', max: 1 },
  options: { format: DOCUMENT_FORMAT_OPTION, ...EXPERIMENT_OPTIONS },
  examples: ['assay production ab status', 'assay production ab status shorter-labels --format json'],
  notes: [
    'Exit codes of one experiment: 0 the candidate is better or not worse, 1 it is worse or a guard rail is crossed, 2 too early to tell or not to be trusted.',
  ],
  run: async (args, terminal) => {
    const [id] = args.positionals;
    const request = { ...promptsToRead(args, terminal), id };
    const all = await withPorts(args, terminal, (ports) => readExperiments(request, ports), 'project');
    const one = id === undefined ? undefined : all[0];
    await printResult(args, terminal, {
      document: () =>
        one === undefined ? experimentsView(all, args.given) : experimentView(one, args.given),
      json: async () =>
        encode((await import('../../api/schema/experiments.ts')).experimentList, { experiments: all }),
    });
    if (one !== undefined) return EXIT_CODES[one.reading.verdict];
    return all.length === 0 ? 2 : 0;
  },
});

const EXIT_CODES = {
  'candidate better': 0,
  'no difference that matters': 0,
  'candidate worse': 1,
  'guard rail crossed': 1,
  'too early to tell': 2,
  'not to be trusted': 2,
} as const;
