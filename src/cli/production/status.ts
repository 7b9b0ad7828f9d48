import { encodeProduction } from '../../api/encode/production.ts';
import { productionDocument, productionTable } from '../../decomposition/documents/production-document.ts';
import { readProduction } from '../../operations/production/read-production.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION } from '../format-options.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { beforeOption, sinceOption } from '../sessions/time-options.ts';
import { textOf } from '../text-of.ts';

const OPTIONS = {
  since: {
    type: 'string',
    value: 'TIME',
    default: '24h',
    doc: 'Only requests since then: a date, or 24h, 7d, 2w back from now',
  },
  until: { type: 'string', value: 'TIME', doc: 'Only requests before then' },
  by: { type: 'string', choices: ['minute', 'hour', 'day'], default: 'hour', doc: 'Spans of time' },
  'prompt-version': { type: 'string', value: 'NAME', doc: 'Only requests with this version of the prompt' },
  model: { type: 'string', value: 'NAME', doc: 'Only requests with this model' },
  format: FORMAT_OPTION,
  all: ALL_OPTION,
  ...STORE_OPTION,
  ...CONFIG_OPTION,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'production status',
  summary: 'How a decomposition service does in production: its targets, its sample, by version and time',
  options: OPTIONS,
  examples: ['assay production status', 'assay production status --since 30d --by day --prompt-version v1.3'],
  notes: [
    'Exit codes: 0 there were requests, 2 there were none, 3 could not run; a missed target changes nothing.',
  ],
  run: async (args, terminal) => {
    const production = await withPorts(args, terminal, (ports) => {
      const now = ports.now().getTime();
      const [since, until] = [sinceOption(args, now), beforeOption(args, now)];
      return readProduction(
        {
          by: (textOf(args, 'by') ?? 'hour') as 'minute' | 'hour' | 'day',
          ...(since !== undefined && { since: new Date(since).toISOString() }),
          ...(until !== undefined && { until: new Date(until).toISOString() }),
          promptVersion: textOf(args, 'prompt-version'),
          model: textOf(args, 'model'),
        },
        ports,
      );
    });
    const wire = encodeProduction(production);
    await printResult(args, terminal, {
      document: () => productionDocument(production, givenOf(args, OPTIONS)),
      json: () => wire,
      jsonl: () => wire.spans,
      csv: () => productionTable(production),
    });
    return production.operational.requests === 0 ? 2 : 0;
  },
};
