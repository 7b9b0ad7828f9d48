/** The metrics of a score per run, for people and for programs. */
import { extent } from 'd3-array';
import { estimate, type Measurement } from '../../measure/metric.ts';
import { formatAmount } from '../../report/number.ts';
import { type ItemColumn, type ListBlock, type Styled, type TableBlock, tableOf } from '../../report/view.ts';
import { bandOf } from '../bands.ts';
import { workflowMetrics } from '../catalog.ts';
import type { ReviewMetric } from '../metric.ts';
import { type AcrossRuns, type MetricRow, type ScoreSummary, trackedRows } from '../summary.ts';

/** More runs than this do not fit in a row, so the lowest and highest value replace them. */
const RUNS_SHOWN = 5;

export function experimentTable(summary: ScoreSummary): TableBlock {
  const shown = summary.runs.length <= RUNS_SHOWN ? summary.runs : [];
  const end = (key: string, at: 0 | 1): ItemColumn<TableMetric> => ({
    key,
    of: ({ metric, perRun }) => perRun && { ...styleFor(metric), value: endsOf(perRun)[at] },
  });
  return tableOf('Experiment metrics', inTable(summary), [
    { key: 'metric', title: 'Metric', of: ({ metric }) => nameOf(metric) },
    ...shown.map(
      ({ run: { run } }, i): ItemColumn<TableMetric> => ({
        key: `run${i}`,
        // A long name does not fit into a column; the counts below name the runs in the same order.
        title: `Run ${run.length <= 6 ? run : i + 1}`,
        of: ({ metric, perRun }) => perRun?.[i] && styled(metric, perRun[i]),
      }),
    ),
    ...(shown.length > 0 ? [] : [end('lowest', 0), end('highest', 1)]),
    { key: 'mean', title: 'Mean', of: ({ metric, overall }) => styled(metric, overall) },
    { key: 'sd', title: 'StdDev', of: ({ metric, sd }) => sd && { ...styleFor(metric), value: sd } },
    { key: 'rs', title: 'RS', of: ({ rs }) => rs && { value: rs, unit: 'score' } },
    {
      key: 'word',
      title: '',
      of: ({ band = '' }) => band,
    },
  ]);
}

function endsOf(perRun: readonly Measurement[]) {
  return extent(perRun, (one) => (one.measured ? one.value : undefined));
}

type TableMetric = AcrossRuns & Partial<Pick<MetricRow, 'perRun' | 'sd' | 'rs'>>;

/** The composite comes last, as in the documented table. */
export function inTable({ rows, across }: ScoreSummary): TableMetric[] {
  const all: readonly TableMetric[] = [...rows, ...across];
  const order = workflowMetrics().map(({ id }) => id);
  return all
    .filter(({ metric }) => metric.aside !== true)
    .toSorted((a, b) => order.indexOf(a.metric.id) - order.indexOf(b.metric.id));
}

export function nameOf({ label, title }: ReviewMetric): string {
  return label ?? title;
}

/** `DR = 65% ± 8% (RS = 0.88) - STABLE` */
export function stabilityBlock(summary: ScoreSummary): ListBlock[] {
  const items = trackedRows(summary.rows).flatMap(({ metric, overall, sd, rs }) => {
    if (!overall.measured || !sd.measured || !rs.measured) return [];
    const whole = (value: number) => (metric.unit === 'percent' ? `${Math.round(value)}%` : value.toFixed(2));
    const word = bandOf('rs', rs.value)?.word.toUpperCase();
    return [
      `${nameOf(metric)} = ${whole(overall.value)} ± ${whole(sd.value)} (RS = ${rs.value.toFixed(2)}) - ${word}`,
    ];
  });
  if (items.length === 0) return [];
  const runs = formatAmount(summary.runs.length, 'run');
  return [
    {
      kind: 'list',
      title: `Stability over ${runs}: ${summary.stability}`,
      items: [...items, ...unknownStability(summary)],
    },
  ];
}

/** Each reason once, with every metric that shares it. */
function unknownStability({ stabilityUnknown }: ScoreSummary): string[] {
  return [...Map.groupBy(stabilityUnknown, ({ reason }) => reason)].map(
    ([reason, all]) => `Not measured for ${all.map(({ metric }) => nameOf(metric)).join(', ')}: ${reason}`,
  );
}

export function rowOf({ rows }: ScoreSummary, key: string): MetricRow {
  return rows.find((row) => row.key === key) as MetricRow;
}

/** One row per metric and run, for programs that read tables. */
export function scoreRows({ rows, runs }: ScoreSummary) {
  return runs.flatMap(({ run: { workflow, task, run } }, i) =>
    rows.map(({ key, perRun: { [i]: one } }) => ({
      workflow,
      task,
      run,
      metric: key,
      value: one?.measured ? one.value : undefined,
      reason: one?.measured === false ? one.reason : undefined,
    })),
  );
}

export function scoreTable(...summaries: readonly ScoreSummary[]): TableBlock {
  const keys = ['workflow', 'task', 'run', 'metric', 'value', 'reason'];
  return tableOf(
    'Metrics',
    summaries.flatMap(scoreRows),
    keys.map((key) => ({ key })),
  );
}

/** Abbreviations that are not metrics. */
const OTHERS: Readonly<Record<string, string>> = {
  ID: 'improvement delta of OES, in points',
  StdDev: 'standard deviation over the runs',
  RS: 'run stability',
  'Sig?': 'significant by the documented rule',
};

/** `DR detection rate`, in the given order. */
export function writtenOutBlock(names: readonly string[]): ListBlock {
  const items = names.map((name) => `${name} ${writtenOut(name)}`);
  return { kind: 'list', title: 'Written out', items: [items.join(' · ')] };
}

function writtenOut(name: string): string {
  const metric = workflowMetrics().find(({ label }) => label === name);
  if (metric === undefined) return OTHERS[name] ?? name;
  return `${metric.title.slice(0, 1).toLowerCase()}${metric.title.slice(1)}`;
}

/** The documented table shows shares as percentages and everything else with two digits. */
export function styled(metric: Pick<ReviewMetric, 'unit'>, measurement: Measurement): Styled {
  return { ...styleFor(metric), value: withoutInterval(measurement) };
}

function styleFor({ unit }: Pick<ReviewMetric, 'unit'>): Pick<Styled, 'unit'> {
  if (unit === 'usd') return { unit };
  return { unit: unit === 'ms' ? 'duration-ms' : unit === 'percent' ? 'percent' : 'score' };
}

/** Removes the interval, which does not fit into the table; the answer shows that of the detection rate. */
export function withoutInterval(measurement: Measurement): Measurement {
  return measurement.measured ? estimate(measurement.value, measurement.n) : measurement;
}
