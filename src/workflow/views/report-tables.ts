/** The tables of a report. People read them in a document, machines one at a time. */
import type { Measurement } from '../../measure/metric.ts';
import type { HeatmapChart } from '../../report/chart.ts';
import { formatAmount, UNMEASURED } from '../../report/number.ts';
import type { Column, Row, TableBlock } from '../../report/view.ts';
import { type ErrorAcross, workflowsOf } from '../reports/error-matrix.ts';
import type { ExperimentRow } from '../reports/experiments.ts';
import type { Report } from '../reports/report.ts';
import { scoreTable, withoutInterval } from './score-metrics.ts';

const text = (key: string, title: string = key): Column => ({ key, title, unit: 'text' });
/** Short words of a fixed list. */
const word = (key: string, title: string = key): Column => ({ key, title, unit: 'name' });
const figure = (key: string, title: string = key): Column => ({ key, title, unit: 'count' });

const score = (key: string, title: string): Column => ({ key, title, unit: 'score' });

/** The documented cross-experiment table. A narrow screen has no room for the number of the experiment. */
export function crossTable({ experiments }: Report, narrow: boolean): TableBlock {
  return {
    kind: 'table',
    title: 'Experiments',
    limit: 10,
    columns: [
      ...(narrow ? [] : [word('exp', 'Exp')]),
      word('workflow', 'Workflow'),
      word('task', 'Task'),
      figure('runs', 'Runs'),
      figure('dr', 'DR±σ'),
      figure('wds', 'WDS±σ'),
      score('te', 'TE'),
      score('p', 'P'),
      score('dq', 'DQ'),
      figure('oes', 'OES±σ'),
      { key: 'id', title: 'ID', unit: 'signed' },
      word('sig', 'Sig?'),
    ],
    rows: experiments.map(crossRow),
  };
}

function crossRow({ exp, arm, dr, wds, te, precision, dq, oes, against }: ExperimentRow): Row {
  return {
    exp,
    workflow: arm.workflow,
    task: arm.task,
    runs: arm.runs.length,
    dr,
    wds,
    te: withoutInterval(te.mean),
    p: withoutInterval(precision.mean),
    dq: withoutInterval(dq.mean),
    oes,
    id: against === undefined ? 'base' : withoutInterval(against.delta),
    sig: against === undefined ? '-' : significance(against),
  };
}

function significance({ rule }: NonNullable<ExperimentRow['against']>): string {
  if (!rule.measured) return UNMEASURED;
  return rule.significant ? 'Y' : 'N';
}

/** The same in full precision. */
export function crossRows({ experiments }: Report): TableBlock {
  const value = (measurement: Measurement) => (measurement.measured ? measurement.value : undefined);
  const keys = ['dr', 'wds', 'te', 'precision', 'dq', 'oes'] as const;
  return {
    kind: 'table',
    title: 'Experiments',
    columns: [
      ...['exp', 'workflow', 'task', 'runs'].map((key) => text(key)),
      ...keys.flatMap((key) => [text(key), text(`${key}_sd`)]),
      ...['id', 'significant', 'false_alarm_rate', 'verdict'].map((key) => text(key)),
    ],
    rows: experiments.map((row) => ({
      exp: row.exp,
      workflow: row.arm.workflow,
      task: row.arm.task,
      runs: row.arm.runs.length,
      ...Object.fromEntries(
        keys.flatMap((key) => [
          [key, value(row[key].mean)],
          [`${key}_sd`, value(row[key].sd)],
        ]),
      ),
      id: row.against === undefined ? undefined : value(row.against.delta),
      significant: row.against?.rule.measured ? significance(row.against) : undefined,
      false_alarm_rate: row.against?.rule.measured ? row.against.rule.falseAlarm : undefined,
      verdict: row.against?.verdict?.verdict,
    })),
  };
}

/** In how many runs of each workflow every error was found. */
export function errorsTable({ errors, arms }: Report): TableBlock {
  const workflows = workflowsOf(arms);
  const several = new Set(arms.map(({ task }) => task)).size > 1;
  return {
    kind: 'table',
    title: 'Known errors across runs',
    limit: 10,
    columns: [
      word('error'),
      ...(several ? [word('task')] : []),
      word('severity'),
      word('category'),
      word('often', 'found'),
      ...workflows.map((workflow) => figure(`found by ${workflow}`, workflow)),
      { key: 'description', title: 'what it is', unit: 'text' },
    ],
    rows: errors.map(({ id, task, severity, category, description, often, arms: inArms }) => ({
      error: id,
      task,
      severity,
      category,
      often,
      description,
      ...Object.fromEntries(
        workflows.map((workflow) => {
          const own = inArms.find((arm) => arm.workflow === workflow);
          return [`found by ${workflow}`, own === undefined ? '' : { count: own.found, of: own.runs.length }];
        }),
      ),
    })),
  };
}

/** One row per error and workflow. */
export function errorRows({ errors }: Report): TableBlock {
  return {
    kind: 'table',
    title: 'Errors',
    columns: ['task', 'error', 'severity', 'category', 'workflow', 'found', 'runs', 'credit', 'often'].map(
      (key) => text(key),
    ),
    rows: errors.flatMap(({ task, id, severity, category, arms }) =>
      arms.map(({ workflow, found, runs, credit }) => ({
        task,
        error: id,
        severity,
        category,
        workflow,
        found,
        runs: runs.length,
        credit,
        often: found === 0 ? 'never' : found === runs.length ? 'always' : 'sometimes',
      })),
    ),
  };
}

export function concernsTable({ concerns }: Report): TableBlock {
  return {
    kind: 'table',
    title: 'What concerns are worth (CE: points per method, mean over the runs)',
    limit: 10,
    columns: [
      word('concern'),
      word('workflow'),
      word('layer'),
      { key: 'ce', title: 'CE', unit: 'score' },
      { key: 'points', title: 'points', unit: 'score' },
      figure('methods'),
      figure('runs'),
      word('low_value', ''),
    ],
    rows: concerns.map(({ workflow, id, layer, points, methods, efficiency, runs, low }) => ({
      concern: id,
      workflow,
      layer,
      ce: withoutInterval(efficiency),
      points,
      methods,
      runs,
      low_value: low ? 'low value' : '',
    })),
  };
}

export function metricRows({ experiments }: Report): TableBlock {
  const tables = experiments.map(({ summary }) => scoreTable(summary));
  return {
    kind: 'table',
    title: 'Metrics',
    columns: tables[0]?.columns ?? [],
    rows: tables.flatMap(({ rows }) => rows),
  };
}

/** More rows than this nobody reads in a picture. */
const ERRORS_DRAWN = 40;

/** Errors × runs: what is found always, sometimes and never is seen at a glance. */
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
