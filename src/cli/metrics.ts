import { encode } from '../api/wire.ts';
import { listMetrics } from '../operations/list-metrics.ts';
import { sayMetric } from '../report/metric-page.ts';
import { renderTerminal } from '../report/terminal.ts';
import { tableOf, type View } from '../report/view.ts';
import { defineCommand, TABLE_FORMAT_OPTION } from './command.ts';

type ListedMetric = ReturnType<typeof listMetrics>[number];

export const command = defineCommand({
  name: 'metrics',
  summary: 'List every metric, or explain one',
  positionals: { usage: '[ID]', max: 1 },
  options: {
    format: TABLE_FORMAT_OPTION,
  },
  examples: ['assay metrics', 'assay metrics decomposition/overall'],
  run: async ({ positionals: [id], values }, terminal) => {
    const metrics = listMetrics({ id });
    if (values.format === 'json') {
      const { metricList } = await import('../api/schema/metrics.ts');
      terminal.print(`${JSON.stringify(encode(metricList, { metrics }), null, 2)}\n`);
    } else if (id === undefined) terminal.print(renderTerminal(listing(metrics), terminal));
    else terminal.print(metrics.map(sayMetric).join('\n'));
    return 0;
  },
});

function listing(metrics: readonly ListedMetric[]): View {
  return {
    title: 'Metrics',
    answer: `${metrics.length} metrics, in report order.`,
    blocks: [tableOf('Catalogue', metrics, [{ key: 'id' }, { key: 'title', title: 'metric' }])],
    notes: [],
    next: metrics.slice(0, 1).map(({ id }) => ({ operation: 'metrics', positionals: [id] })),
  };
}
