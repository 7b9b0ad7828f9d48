import { relative, resolve } from 'node:path';
import { decompositionMetrics } from '../../decomposition/catalog.ts';
import {
  HISTORY_FILE,
  type HistorySeries,
  historySeries,
  pointsOf,
  readHistory,
  weeklyPoints,
} from '../../decomposition/history.ts';
import { gatePolicy } from '../../decomposition/policy.ts';
import { AssayError } from '../../errors.ts';
import { declineNote } from '../../judge/judge.ts';
import { type Trend, trendOf } from '../../judge/trend.ts';
import { metricKey } from '../../measure/metric.ts';
import type { SeriesChart } from '../../report/chart.ts';
import type { Block, Document, Row, TableBlock } from '../../report/document.ts';
import { formatAmount, formatValue } from '../../report/number.ts';
import { styleOf } from '../../report/text-table.ts';
import { CONFIG_OPTION, type Command, type Terminal } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printDocument, printTable } from '../print-report.ts';
import { readSettings } from '../settings.ts';
import { emit } from './print-run.ts';
import { HISTORY_OPTION, OUT_OPTION, textOf } from './run-options.ts';

export const command: Command = {
  name: 'decomposition trend',
  summary: 'How the metrics moved from run to run or week to week, and what keeps falling',
  options: {
    weekly: { type: 'boolean', doc: 'One point per ISO week: the mean of its runs' },
    subject: { type: 'string', value: 'NAME', doc: 'Only runs of this (default: what ran last)' },
    format: FORMAT_OPTION,
    out: OUT_OPTION,
    all: { ...ALL_OPTION, doc: 'Every series and every row' },
    ...HISTORY_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay decomposition trend',
    'assay decomposition trend --weekly --format html --out quality.html',
  ],
  notes: [
    'Only runs of the same extractor and prompt against the same golden cases by the same scorer form a',
    'series. Exit codes: 0 there is a history, 2 there is none yet, 3 could not run; an alert changes',
    'nothing.',
  ],
  run: async (args, terminal) => {
    const { config } = await readSettings(args, terminal);
    const path = resolve(terminal.cwd, textOf(args, 'history') ?? HISTORY_FILE);
    const all = historySeries(readHistory(path));
    const subject = textOf(args, 'subject');
    const wanted = subject === undefined ? all : all.filter((one) => one.subject === subject);
    if (subject !== undefined && all.length > 0 && wanted.length === 0) {
      const known = [...new Set(all.map((one) => one.subject))].join(', ');
      throw new AssayError('USAGE', `no run of "${subject}" in ${path}; there is ${known}`);
    }
    const declared = metricsOf(config.decomposition.overallScale);
    const shown = args.values.all === true || subject !== undefined ? wanted : wanted.slice(0, 1);
    const views = shown.map((series) => viewOf(series, declared, args.values.weekly === true));
    const table = rowsOf(views, declared);
    const to: Terminal = { ...terminal, print: (text) => emit(args, terminal, text) };
    const document = () =>
      trendDocument(views, table, all.length - shown.length, relative(terminal.cwd, path));
    if (args.values.format === 'json') await printDocument(args, to, views.map(viewJson), document);
    else await printTable(args, to, table, document);
    return views.length === 0 ? 2 : 0;
  },
};

type Declared = ReturnType<typeof metricsOf>;

/** The metrics of the gate. */
function metricsOf(scale: Parameters<typeof gatePolicy>[0]) {
  const { gated } = gatePolicy(scale);
  return decompositionMetrics().filter(({ id }) => gated.includes(id));
}

type Point = { readonly at: string; readonly value: number; readonly week?: string; readonly runs?: number };

type View = {
  readonly series: HistorySeries;
  /** Over runs, whatever is drawn: three runs in a row may lie in one week. */
  readonly trends: readonly Trend[];
  /** Metric id → what is drawn. */
  readonly points: ReadonlyMap<string, readonly Point[]>;
  readonly weekly: boolean;
};

function viewOf(series: HistorySeries, declared: Declared, weekly: boolean): View {
  const points = new Map<string, readonly Point[]>();
  const trends = declared.map((metric) => {
    const runs = pointsOf(series, metricKey(metric.id));
    points.set(metric.id, weekly ? weeklyPoints(runs) : runs);
    return trendOf(metric, runs);
  });
  return { series, trends, points, weekly };
}

function viewJson({ series, trends, points }: View) {
  const { runs, ...names } = series;
  return {
    ...names,
    n_runs: runs.length,
    metrics: Object.fromEntries(
      trends.map(({ metric, declines, alert }) => [
        metricKey(metric),
        { declines, alert, points: points.get(metric) ?? [] },
      ]),
    ),
  };
}

/** One row per run or week, newest last, with the metrics as columns. */
function rowsOf(views: readonly View[], declared: Declared): TableBlock {
  const weekly = views.some((view) => view.weekly);
  const rows = views.flatMap(({ series, points }): Row[] => {
    const byTime = new Map<string, Record<string, string | number>>();
    for (const [id, list] of points) {
      for (const { at, value, week, runs } of list) {
        const row = byTime.get(at) ?? { subject: series.subject, at: week ?? at, runs: runs ?? 1 };
        byTime.set(at, { ...row, [metricKey(id)]: value });
      }
    }
    return [...byTime].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  });
  return {
    kind: 'table',
    title: weekly ? 'Weeks' : 'Runs',
    folded: true,
    columns: [
      { key: 'subject', header: 'subject', style: 'name' },
      { key: 'at', header: weekly ? 'week' : 'measured (UTC)', style: 'text' },
      ...(weekly ? [{ key: 'runs', header: 'runs', style: 'count' } as const] : []),
      ...declared.map(({ id, title, unit }) => ({ key: metricKey(id), header: title, style: styleOf(unit) })),
    ],
    rows,
  };
}

function trendDocument(views: readonly View[], table: TableBlock, others: number, path: string): Document {
  return {
    title: 'Trend',
    answer: views.length === 0 ? `No complete run in ${path} yet.` : answerOf(views),
    blocks: [
      ...views.flatMap((view) => chartsOf(view, views.length > 1)),
      ...(views.length > 0 ? [table] : []),
    ],
    notes: [
      ...(others > 0 ? [`${formatAmount(others, 'more series', 'more series')} in ${path} (--all).`] : []),
      'A decline is a fall of more than one point from one run to the next; three in a row alert.',
    ],
    next:
      views.length === 0
        ? ['assay decomposition run']
        : [
            ...(views.some((view) => view.weekly) ? [] : ['assay decomposition trend --weekly']),
            'assay decomposition trend --format html --out quality.html',
          ],
  };
}

function answerOf(views: readonly View[]): string {
  const alerts = views.flatMap(({ series, trends }) =>
    trends.filter(({ alert }) => alert).map((trend) => `${declineNote(trend)} (${series.subject})`),
  );
  if (alerts.length > 0) return `▲ Alert: ${alerts.join('; ')}.`;
  const [view] = views;
  const overall = view?.trends.at(-1);
  const [first, last] = [overall?.points[0], overall?.points.at(-1)];
  const runs = formatAmount(view?.series.runs.length ?? 0, 'run');
  const moved =
    overall && first && last && first !== last
      ? `${overall.title} ${formatValue(first.value, overall.unit)} → ${formatValue(last.value, overall.unit)} over ${runs} of ${view?.series.subject}`
      : `${runs} of ${view?.series.subject}`;
  return `${moved}; nothing fell three runs in a row.`;
}

/** Overall alone, then the shares that should be high, then the one that should be zero. */
function chartsOf({ series, trends, points, weekly }: View, named: boolean): Block[] {
  const overall = trends.filter(({ unit }) => unit === 'score');
  const low = trends.filter(({ metric }) => metric.endsWith('hallucination-rate'));
  const high = trends.filter((trend) => !overall.includes(trend) && !low.includes(trend));
  return [overall, high, low].flatMap((group): Block[] => {
    const [first] = group;
    if (first === undefined || group.every(({ points: list }) => list.length === 0)) return [];
    const chart: SeriesChart = {
      kind: 'series',
      title: `${titleOf(group, weekly)}${named ? ` (${series.subject})` : ''}`,
      unit: first.unit,
      series: group.map(({ title, metric }) => ({
        label: title,
        points: (points.get(metric) ?? []).map(({ at, value }) => ({ at, value })),
      })),
    };
    return [{ kind: 'chart', chart }];
  });
}

function titleOf(group: readonly Trend[], weekly: boolean): string {
  const worst = group.toSorted((a, b) => b.declines - a.declines)[0];
  const [first] = group;
  const [from, to] = [first?.points[0], first?.points.at(-1)];
  const moved =
    from && to && first
      ? `${formatValue(from.value, first.unit)} → ${formatValue(to.value, first.unit)}`
      : '';
  const what = group.length > 1 ? 'Recall, precision, relationships, provenance' : `${first?.title} ${moved}`;
  if (worst !== undefined && worst.declines > 1)
    return `${worst.title} got worse ${worst.declines} runs in a row`;
  return `${what}, ${weekly ? 'week by week' : 'run by run'}`;
}
