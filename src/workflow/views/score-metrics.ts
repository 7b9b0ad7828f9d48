/** The metrics of a score, run by run: for people, and for machines that read tables. */
import { extent } from 'd3-array';
import { estimate, type Measurement } from '../../measure/metric.ts';
import { formatAmount } from '../../report/number.ts';
import type { Column, ListBlock, Row, Styled, TableBlock } from '../../report/view.ts';
import { bandOf } from '../bands.ts';
import { workflowMetrics } from '../catalog.ts';
import type { ReviewMetric } from '../metric.ts';
import { type AcrossRuns, type MetricRow, type ScoreSummary, STABILITY_KEYS } from '../summary.ts';

/** More runs than this have no room beside each other; their lowest and highest value stand for them. */
const RUNS_SHOWN = 5;

export function experimentTable(summary: ScoreSummary): TableBlock {
  const shown = summary.runs.length <= RUNS_SHOWN ? summary.runs : [];
  const runColumns: Column[] = shown.map(({ run }, i) => ({
    key: `run${i}`,
    // A long name has no room beside the others; the counts below name the runs in the same order.
    title: `run ${run.run.length <= 6 ? run.run : i + 1}`,
    unit: 'text',
  }));
  const ends: Column[] =
    shown.length > 0
      ? []
      : [
          { key: 'lowest', title: 'lowest', unit: 'text' },
          { key: 'highest', title: 'highest', unit: 'text' },
        ];
  return {
    kind: 'table',
    title: 'Experiment metrics',
    columns: [
      { key: 'metric', title: 'metric', unit: 'text' },
      ...runColumns,
      ...ends,
      { key: 'mean', title: 'mean', unit: 'text' },
      { key: 'sd', title: 'SD', unit: 'text' },
      { key: 'rs', title: 'RS', unit: 'text' },
      { key: 'word', title: '', unit: 'text' },
    ],
    rows: inTable(summary).map(tableRow),
  };
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

function tableRow({ key, metric, overall, perRun, sd, rs }: TableMetric): Row {
  const name = nameOf(metric);
  const mean = styled(metric, overall);
  if (perRun === undefined || sd === undefined || rs === undefined) {
    return { metric: name, mean, ...wordOf(key, overall) };
  }
  const shown = perRun.length <= RUNS_SHOWN ? perRun : [];
  const [lowest, highest] = extent(perRun, (one) => (one.measured ? one.value : undefined));
  const end = (value: number | undefined): Styled => ({ value, unit: mean.unit });
  return {
    metric: name,
    ...Object.fromEntries(shown.map((one, i) => [`run${i}`, styled(metric, one)])),
    lowest: end(lowest),
    highest: end(highest),
    mean,
    sd: { value: sd, unit: mean.unit },
    rs: { value: rs, unit: 'score' },
    ...wordOf(key, overall),
  };
}

function wordOf(key: string, measurement: Measurement): Row {
  const band = measurement.measured ? bandOf(key, measurement.value) : undefined;
  return { word: band?.word ?? '' };
}

/** `DR = 65% ± 8% (RS = 0.88) - STABLE` */
export function stabilityBlock(summary: ScoreSummary): ListBlock[] {
  const items = STABILITY_KEYS.flatMap((key) => {
    const { metric, overall, sd, rs } = rowOf(summary, key);
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
      items: [...items, ...untoldStability(summary)],
    },
  ];
}

/** The same reason once, with every metric that shares it. */
function untoldStability({ stabilityUntold }: ScoreSummary): string[] {
  return [...Map.groupBy(stabilityUntold, ({ reason }) => reason)].map(
    ([reason, all]) => `Not told for ${all.map(({ metric }) => nameOf(metric)).join(', ')}: ${reason}`,
  );
}

export function rowOf({ rows }: ScoreSummary, key: string): MetricRow {
  return rows.find((row) => row.key === key) as MetricRow;
}

/** One row per metric and run, for machines that read tables. */
export function scoreTable({ rows, runs }: ScoreSummary): TableBlock {
  return {
    kind: 'table',
    title: 'Metrics',
    columns: [
      { key: 'workflow', title: 'workflow', unit: 'text' },
      { key: 'task', title: 'task', unit: 'text' },
      { key: 'run', title: 'run', unit: 'text' },
      { key: 'metric', title: 'metric', unit: 'text' },
      { key: 'value', title: 'value', unit: 'text' },
      { key: 'reason', title: 'reason', unit: 'text' },
    ],
    rows: runs.flatMap(({ run: { workflow, task, run } }, i) =>
      rows.map(({ key, perRun }) => {
        const one = perRun[i];
        return {
          workflow,
          task,
          run,
          metric: key,
          value: one?.measured ? one.value : undefined,
          reason: one?.measured === false ? one.reason : undefined,
        };
      }),
    ),
  };
}

/** Short for no metric of their own. */
const OTHERS: Readonly<Record<string, string>> = {
  ID: 'improvement delta of OES, in points',
  SD: 'standard deviation over the runs',
  RS: 'run stability',
  'Sig?': 'significant by the documented rule',
};

/** `DR detection rate`, in the order asked for. */
export function writtenOutBlock(names: readonly string[]): ListBlock {
  const items = names.map((name) => `${name} ${writtenOut(name)}`);
  return { kind: 'list', title: 'Written out', items: [items.join(' · ')] };
}

function writtenOut(name: string): string {
  const metric = workflowMetrics().find(({ label }) => label === name);
  if (metric === undefined) return OTHERS[name] ?? name;
  return `${metric.title.slice(0, 1).toLowerCase()}${metric.title.slice(1)}`;
}

/** The documented table has shares as percentages and everything else with two digits. */
export function styled({ unit }: Pick<ReviewMetric, 'unit'>, measurement: Measurement): Styled {
  return { value: withoutInterval(measurement), unit: unit === 'percent' ? 'percent' : 'score' };
}

/** The interval of the detection rate stands in the answer; beside every value there is no room for one. */
export function withoutInterval(measurement: Measurement): Measurement {
  return measurement.measured ? estimate(measurement.value, measurement.n) : measurement;
}
