/** The tables of a report, for documents and for programs. */
import type { HeatmapChart } from '../../report/chart.ts';
import { formatAmount, UNMEASURED } from '../../report/number.ts';
import { type ItemColumn, type TableBlock, tableOf } from '../../report/view.ts';
import { type ErrorAcross, workflowsOf } from '../reports/error-matrix.ts';
import type { ExperimentRow } from '../reports/experiments.ts';
import type { Report } from '../reports/report.ts';
import { scoreTable, withoutInterval } from './score-metrics.ts';

/** The documented cross-experiment table; a narrow screen omits the number of the experiment. */
export function crossTable({ experiments }: Report, narrow: boolean): TableBlock {
  return tableOf(
    'Experiments',
    experiments,
    [
      !narrow && { key: 'exp', title: 'Exp', unit: 'name' },
      { key: 'workflow', title: 'Workflow', unit: 'name', of: ({ arm }) => arm.workflow },
      { key: 'task', title: 'Task', unit: 'name', of: ({ arm }) => arm.task },
      { key: 'runs', title: 'Runs', unit: 'count', of: ({ arm }) => arm.runs.length },
      { key: 'dr', title: 'DR±σ', unit: 'count' },
      { key: 'wds', title: 'WDS±σ', unit: 'count' },
      { key: 'te', title: 'TE', unit: 'score', of: ({ te }) => withoutInterval(te.mean) },
      { key: 'p', title: 'P', unit: 'score', of: ({ precision }) => withoutInterval(precision.mean) },
      { key: 'dq', title: 'DQ', unit: 'score', of: ({ dq }) => withoutInterval(dq.mean) },
      { key: 'oes', title: 'OES±σ', unit: 'count' },
      {
        key: 'id',
        title: 'ID',
        unit: 'signed',
        of: ({ against }) => (against === undefined ? 'base' : withoutInterval(against.delta)),
      },
      {
        key: 'sig',
        title: 'Sig?',
        unit: 'name',
        of: ({ against }) => (against === undefined ? '-' : significance(against)),
      },
      ...costColumns(experiments),
    ],
    { limit: 10 },
  );
}

/** Only if a run records its cost or duration; the documented table has no such columns. */
function costColumns(experiments: readonly ExperimentRow[]): (ItemColumn<ExperimentRow> | false)[] {
  return [
    experiments.some((row) => row.costPerError.mean.measured) && {
      key: 'cost_per_error',
      title: 'cost/error',
      of: (row) => ({ value: withoutInterval(row.costPerError.mean), unit: 'usd' }),
    },
    experiments.some((row) => row.timePerError.mean.measured) && {
      key: 'time_per_error',
      title: 'time/error',
      of: (row) => ({ value: withoutInterval(row.timePerError.mean), unit: 'duration-ms' }),
    },
  ];
}

function significance({ rule }: NonNullable<ExperimentRow['against']>): string {
  if (!rule.measured) return UNMEASURED;
  return rule.significant ? 'Y' : 'N';
}

/** The same table in full precision. */
export function crossRows({ experiments }: Report): TableBlock {
  const keys = ['dr', 'wds', 'te', 'precision', 'dq', 'oes'] as const;
  return tableOf('Experiments', experiments, [
    { key: 'exp' },
    { key: 'workflow', of: ({ arm }) => arm.workflow },
    { key: 'task', of: ({ arm }) => arm.task },
    { key: 'runs', of: ({ arm }) => arm.runs.length },
    ...keys.flatMap((key): ItemColumn<ExperimentRow>[] => [
      { key, of: ({ [key]: { mean } }) => mean },
      { key: `${key}_sd`, of: ({ [key]: { sd } }) => sd },
    ]),
    { key: 'id', of: ({ against }) => against?.delta },
    {
      key: 'significant',
      of: ({ against }) => (against?.rule.measured ? significance(against) : undefined),
    },
    {
      key: 'false_alarm_rate',
      of: ({ against }) => (against?.rule.measured ? against.rule.falseAlarm : undefined),
    },
    { key: 'verdict', of: ({ against }) => against?.verdict?.verdict },
    { key: 'cost_per_error', of: ({ costPerError }) => costPerError.mean },
    { key: 'time_per_error', of: ({ timePerError }) => timePerError.mean },
  ]);
}

/** How many runs of each workflow found each error. */
export function errorsTable({ errors, arms }: Report): TableBlock {
  const several = new Set(arms.map(({ task }) => task)).size > 1;
  return tableOf(
    'Known errors across runs',
    errors,
    [
      { key: 'error', unit: 'name', of: ({ id }) => id },
      several && { key: 'task', unit: 'name' },
      { key: 'severity', unit: 'name' },
      { key: 'category', unit: 'name' },
      { key: 'often', title: 'found', unit: 'name' },
      ...workflowsOf(arms).map(
        (workflow): ItemColumn<ErrorAcross> => ({
          key: `found by ${workflow}`,
          title: workflow,
          unit: 'count',
          of: ({ arms: inArms }) => {
            const own = inArms.find((arm) => arm.workflow === workflow);
            return own === undefined ? '' : { count: own.found, of: own.runs.length };
          },
        }),
      ),
      { key: 'description', title: 'what it is' },
    ],
    { limit: 10 },
  );
}

/** One row per error and workflow. */
export function errorRows({ errors }: Report): TableBlock {
  const rows = errors.flatMap(({ arms, ...error }) =>
    arms.map((arm) => ({ ...error, ...arm, runs: arm.runs.length })),
  );
  return tableOf('Errors', rows, [
    { key: 'task' },
    { key: 'error', of: ({ id }) => id },
    { key: 'severity' },
    { key: 'category' },
    { key: 'workflow' },
    { key: 'found' },
    { key: 'runs' },
    { key: 'credit' },
    {
      key: 'often',
      of: ({ found, runs }) => (found === 0 ? 'never' : found === runs ? 'always' : 'sometimes'),
    },
  ]);
}

export function concernsTable({ concerns }: Report): TableBlock {
  return tableOf(
    'What concerns are worth (CE: points per method, mean over the runs)',
    concerns,
    [
      { key: 'concern', unit: 'name', of: ({ id }) => id },
      { key: 'workflow', unit: 'name' },
      { key: 'layer', unit: 'name' },
      { key: 'ce', title: 'CE', unit: 'score', of: ({ efficiency }) => withoutInterval(efficiency) },
      { key: 'points', unit: 'score' },
      { key: 'methods', unit: 'count' },
      { key: 'runs', unit: 'count' },
      { key: 'low_value', title: '', unit: 'name', of: ({ low }) => (low ? 'low value' : '') },
    ],
    { limit: 10 },
  );
}

export function metricRows({ experiments }: Report): TableBlock {
  return scoreTable(...experiments.map(({ summary }) => summary));
}

/** A chart with more rows than this is unreadable. */
const ERRORS_DRAWN = 40;

/** Errors × runs: shows which errors are found always, sometimes and never. */
export function errorMatrixChart({ errors, arms }: Report): HeatmapChart {
  const count = (often: ErrorAcross['often']) => errors.filter((error) => error.often === often).length;
  const several = new Set(arms.map(({ task }) => task)).size > 1;
  const drawn = errors.slice(0, ERRORS_DRAWN);
  const nameOf = ({ task, id }: ErrorAcross) => (several ? `${task} ${id}` : id);
  const cut = errors.length > drawn.length ? `; the ${drawn.length} least found of ${errors.length}` : '';
  return {
    kind: 'heatmap',
    title: `${formatAmount(count('never'), 'error is', 'errors are')} never found, ${count('sometimes')} sometimes, ${count('always')} always${cut}`,
    rows: drawn.map(nameOf),
    columns: [...new Set(arms.flatMap(({ workflow, runs }) => runs.map(({ run }) => `${workflow} ${run}`)))],
    cells: drawn.flatMap((error) =>
      error.arms.flatMap(({ workflow, runs }) =>
        runs.map(({ run, credit }) => ({
          row: nameOf(error),
          column: `${workflow} ${run}`,
          value: credit,
          text: credit === 1 ? 'Y' : credit > 0 ? 'P' : '',
        })),
      ),
    ),
    legend: 'Y full match, P partial match, empty missed',
  };
}
