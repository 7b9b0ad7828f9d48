import { encode } from '../../api/wire.ts';
import { productionTable, productionView } from '../../decomposition/views/production-view.ts';
import { readProduction } from '../../operations/production/read-production.ts';
import { ALL_OPTION, defineCommand, FORMAT_OPTION, isoTime, STORE_OPTIONS } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { listWith, printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'production status',
  summary: 'Show how a decomposition service does in production: targets and sample, by version and time',
  options: {
    since: {
      type: 'time',
      value: 'TIME',
      default: '24h',
      doc: 'Only requests since then: a date, or 24h, 7d, 2w back from now',
    },
    until: { type: 'time', end: true, value: 'TIME', doc: 'Only requests before then' },
    by: {
      type: 'choice',
      choices: ['minute', 'hour', 'day'],
      default: 'hour',
      doc: 'Length of each time span',
    },
    'prompt-version': { type: 'text', value: 'NAME', doc: 'Only requests with this version of the prompt' },
    model: { type: 'text', value: 'NAME', doc: 'Only requests with this model' },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...STORE_OPTIONS,
  },
  examples: ['assay production status', 'assay production status --since 30d --by day --prompt-version v1.3'],
  notes: [
    'Exit codes: 0 there were requests, 2 there were none, 3 could not run; a missed target does not change them.',
  ],
  run: async (args, terminal) => {
    const { by, since, until, model, 'prompt-version': promptVersion } = args.values;
    const cwd = process.cwd();
    const request = { by, since: isoTime(since), until: isoTime(until), promptVersion, model, cwd };
    const production = await withPorts(args, terminal, (ports) => readProduction(request, ports), 'project');
    await printResult(args, terminal, {
      document: () => productionView(production, args.given),
      ...listWith(
        async () => encode((await import('../../api/schema/production.ts')).production, production),
        'spans',
        productionTable(production),
      ),
    });
    return production.operational.requests === 0 ? 2 : 0;
  },
});
