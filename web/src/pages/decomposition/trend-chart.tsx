import type { SeriesChart } from '../../../../src/report/chart.ts';
import { formatAmount } from '../../../../src/report/number.ts';
import { type MetricNames, metricName } from '../../api/use-metrics.ts';
import { Chart } from '../../parts/chart.tsx';
import { Empty } from '../../parts/states.tsx';
import type { Trend } from './shapes.ts';

type Series = Trend['series'][number];

/** Short enough to stand at the end of a line. */
const DRAWN: Readonly<Record<string, string>> = {
  concept_recall: 'recall',
  concept_precision: 'precision',
  relationship_accuracy: 'relations',
  overall: 'overall',
};

export function TrendChart({
  series,
  names,
}: {
  readonly series: Series | undefined;
  readonly names: MetricNames;
}) {
  const drawn = Object.keys(DRAWN).filter((key) => (series?.metrics[key]?.points.length ?? 0) > 1);
  if (series === undefined || drawn.length === 0) {
    return (
      <Empty command="assay decomposition run">
        A trend needs two runs of the same suite. This adds one:
      </Empty>
    );
  }
  const chart: SeriesChart = {
    kind: 'series',
    title: findingOf(series, names),
    unit: 'ratio',
    series: drawn.map((key) => ({
      label: DRAWN[key] ?? key,
      points: (series.metrics[key]?.points ?? []).map(({ at, value }) => ({ at, value })),
    })),
  };
  return <Chart chart={chart} />;
}

/** What to see: what keeps falling, else what moved most. */
function findingOf({ metrics, n_runs }: Series, names: MetricNames): string {
  const falling = Object.entries(metrics).filter(([, { alert }]) => alert);
  const [worst] = falling.toSorted(([, a], [, b]) => b.declines - a.declines);
  if (worst !== undefined) {
    const others = falling.length - 1;
    const more = others > 0 ? `, ${formatAmount(others, 'other metric')} too` : '';
    return `${metricName(names, worst[0]).title} fell ${worst[1].declines} runs in a row${more}`;
  }
  const moved = Object.entries(metrics)
    .map(([key, { points }]) => ({ key, by: (points.at(-1)?.value ?? 0) - (points[0]?.value ?? 0) }))
    .toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by))[0];
  if (moved === undefined || Math.abs(moved.by) < 0.01) return `Steady over ${n_runs} runs`;
  const points = Math.abs(moved.by * 100).toFixed(0);
  return `${metricName(names, moved.key).title} ${moved.by > 0 ? 'rose' : 'fell'} ${points} points over ${n_runs} runs`;
}
