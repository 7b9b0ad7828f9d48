import { AssayError } from '../errors.ts';
import { type AnyMetric, CATALOG } from '../measure/catalog.ts';
import type { Document } from '../report/document.ts';
import { sayMetric } from '../report/metric-page.ts';
import { renderTerminal } from '../report/terminal.ts';
import { didYouMean } from '../suggest.ts';
import type { Command } from './command.ts';

export const command: Command = {
  name: 'metrics',
  summary: 'List every metric, or explain one',
  positionals: { usage: '[ID]', max: 1 },
  options: {
    format: { type: 'string', choices: ['table', 'json'], default: 'table', doc: 'How to print them' },
  },
  examples: ['assay metrics', 'assay metrics decomposition/overall'],
  run: async ({ positionals: [id], values }, terminal) => {
    const metrics = id === undefined ? CATALOG : [find(id)];
    if (values.format === 'json') terminal.print(`${JSON.stringify(metrics.map(plain), null, 2)}\n`);
    else if (id === undefined) terminal.print(renderTerminal(listing(metrics), terminal));
    else terminal.print(metrics.map(sayMetric).join('\n'));
    return 0;
  },
};

function find(id: string): AnyMetric {
  const metric = CATALOG.find((one) => one.id === id || one.id.endsWith(`/${id}`));
  if (metric !== undefined) return metric;
  const hint = didYouMean(
    id,
    CATALOG.flatMap((one) => [one.id, one.id.split('/')[1] ?? '']),
  );
  throw new AssayError('USAGE', `there is no metric "${id}"${hint}`, { remedy: 'assay metrics lists them.' });
}

function plain({ id, title, question, formula, unit, range, better, zones, example }: AnyMetric) {
  const { given, value } = example;
  return { id, title, question, formula, unit, range, better, zones, example: { given, value } };
}

function listing(metrics: readonly AnyMetric[]): Document {
  return {
    title: 'Metrics',
    answer: `${metrics.length} metrics, in report order.`,
    blocks: [
      {
        kind: 'table',
        title: 'Catalogue',
        columns: [
          { key: 'id', header: 'id', style: 'text' },
          { key: 'title', header: 'metric', style: 'text' },
        ],
        rows: metrics.map(({ id, title }) => ({ id, title })),
      },
    ],
    notes: [],
    next: metrics.slice(0, 1).map(({ id }) => ({ operation: 'metrics', positionals: [id] })),
  };
}
