import { AssayError } from '../../errors.ts';
import { declineNote } from '../../judge/judge.ts';
import { TREND_RULE, type Trend, type TrendRule, trendOf } from '../../judge/trend.ts';
import { metricKey } from '../../measure/metric.ts';
import type { SeriesChart } from '../../report/chart.ts';
import type { Block, Document, TableBlock } from '../../report/document.ts';
import { formatAmount, formatValue, UNMEASURED } from '../../report/number.ts';
import { styleOf } from '../../report/text-table.ts';
import { openStore, storeExists } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { runMetrics } from '../../workflow/catalog.ts';
import {
  earlierSeries,
  pointsOf,
  type ScoreSeries,
  scoreSeries,
} from '../../workflow/reports/score-series.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION, type Terminal } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION, printDocument, printTable } from '../print-report.ts';
import { readSettings } from '../settings.ts';
import { textOf } from './options.ts';

export const command: Command = {
  name: 'workflow history',
  summary: 'How the scores of workflows moved over time, and what keeps falling',
  options: {
    workflow: { type: 'string', value: 'NAME', doc: 'Only this workflow' },
    task: { type: 'string', value: 'NAME', doc: 'Only this task' },
    format: FORMAT_OPTION,
    all: {
      ...ALL_OPTION,
      doc: 'Also series against earlier ground truths or by earlier matchers, and every row',
    },
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay workflow history',
    'assay workflow history --workflow review-2 --format html > history.html',
  ],
  notes: [
    'Only scores of the same workflow on the same task, against the same ground truth by the same matcher, form a series.',
    'Exit codes: 0 there is a history, 2 there is none yet, 3 could not run. An alert does not change it.',
  ],
  run: async (args, terminal) => {
    const series = wanted(args, await readSeries(args, terminal));
    const shown =
      args.values.all === true
        ? series
        : series.filter((one) => !series.some((other) => earlierSeries(series, other).includes(one)));
    const views = shown.map((one) => ({
      series: one,
      earlier: earlierSeries(series, one).length,
      trends: METRICS.map((metric) => trendOf(metric, pointsOf(one, metric.id), ruleFor(metric.id))),
    }));
    const table = scoresTable(views);
    const document = () => historyDocument(views, table);
    if (args.values.format === 'json') await printDocument(args, terminal, views.map(viewJson), document);
    else await printTable(args, terminal, table, document);
    return views.length === 0 ? 2 : 0;
  },
};

/** Those whose stability the protocol asks for, and the composite. */
const KEYS = ['dr', 'wds', 'precision', 'dq', 'oes'];
const METRICS = runMetrics().filter(({ id }) => KEYS.includes(metricKey(id)));

/** Depth goes from 1 to 5, and 0.05 of it is one point of a hundred. */
const DEPTH_RULE: TrendRule = { ...TREND_RULE, noisePoints: 5 };

function ruleFor(id: string): TrendRule {
  return metricKey(id) === 'dq' ? DEPTH_RULE : TREND_RULE;
}

type View = { readonly series: ScoreSeries; readonly earlier: number; readonly trends: readonly Trend[] };

async function readSeries(args: Arguments, terminal: Terminal): Promise<ScoreSeries[]> {
  const { store: place } = await readSettings(args, terminal);
  if (!storeExists(place.address)) return [];
  const store = await openStore(place.address);
  try {
    const scores = await store.listRuns({ instrument: 'workflow', withoutErrors: true });
    const tasks = new Map<string, string>();
    for (const { truthHash = '', runId } of scores) {
      if (!tasks.has(truthHash)) tasks.set(truthHash, await taskOf(store, runId));
    }
    return scoreSeries(scores, (truthHash) => tasks.get(truthHash) ?? 'unknown');
  } finally {
    await store.close();
  }
}

/** A ground truth belongs to one task, so one score of it says which. */
async function taskOf(store: Store, runId: string): Promise<string> {
  const evidence = (await store.readRun(runId))?.cases[0]?.evidence as
    | { readonly task?: unknown }
    | undefined;
  return typeof evidence?.task === 'string' ? evidence.task : 'unknown';
}

function wanted(args: Arguments, series: readonly ScoreSeries[]): readonly ScoreSeries[] {
  const [workflow, task] = [textOf(args, 'workflow'), textOf(args, 'task')];
  const chosen = series.filter(
    (one) => (workflow ?? one.workflow) === one.workflow && (task ?? one.task) === one.task,
  );
  if (series.length > 0 && chosen.length === 0) {
    const known = [...new Set(series.map((one) => `${one.workflow} on ${one.task}`))].join(', ');
    throw new AssayError('USAGE', `the store has no such score; there is ${known}`);
  }
  return chosen;
}

function viewJson({ series, earlier, trends }: View) {
  const { workflow, task, truthHash, matcher, scores } = series;
  return {
    workflow,
    task,
    truth_hash: truthHash,
    matcher_version: matcher,
    scores: scores.length,
    earlier_series: earlier,
    metrics: Object.fromEntries(
      trends.map(({ metric, declines, alert, points }) => [metricKey(metric), { declines, alert, points }]),
    ),
  };
}

/** One row per score, oldest first. */
function scoresTable(views: readonly View[]): TableBlock {
  return {
    kind: 'table',
    title: 'Scores',
    folded: true,
    columns: [
      { key: 'workflow', header: 'workflow', style: 'name' },
      { key: 'task', header: 'task', style: 'name' },
      { key: 'at', header: 'scored (UTC)', style: 'text' },
      { key: 'runs', header: 'runs', style: 'count' },
      ...METRICS.map(({ id, title, unit }) => ({ key: metricKey(id), header: title, style: styleOf(unit) })),
      { key: 'truth_hash', header: 'ground truth', style: 'name' },
      { key: 'matcher_version', header: 'matcher', style: 'name' },
    ],
    rows: views.flatMap(({ series: { workflow, task, truthHash, matcher, scores } }) =>
      scores.map(({ at, caseCount, metrics }) => ({
        workflow,
        task,
        at,
        runs: caseCount,
        ...Object.fromEntries(
          METRICS.map(({ id }) => {
            const one = metrics[id];
            return [metricKey(id), one?.measured ? one.value : undefined];
          }),
        ),
        truth_hash: truthHash,
        matcher_version: matcher,
      })),
    ),
  };
}

function historyDocument(views: readonly View[], table: TableBlock): Document {
  const earlier = views.reduce((sum, view) => sum + view.earlier, 0);
  return {
    title: 'History',
    answer: views.length === 0 ? 'The store has no score of a workflow yet.' : answerOf(views),
    blocks: views.length === 0 ? [] : [seriesTable(views), ...charts(views), table],
    notes:
      views.length === 0
        ? []
        : [
            ...(earlier > 0
              ? [
                  `A changed ground truth or matcher begins a new series: ${formatAmount(earlier, 'earlier series', 'earlier series')} (--all).`,
                ]
              : []),
            'A decline is a fall of more than one point from one score to the next (0.01 of precision, 0.05 of depth); three in a row alert.',
          ],
    next:
      views.length === 0
        ? ['assay workflow score --truth FILE --runs PATH']
        : [
            'assay workflow history --format html > history.html',
            'assay workflow score --truth FILE --runs PATH',
          ],
  };
}

function answerOf(views: readonly View[]): string {
  const alerts = views.flatMap(({ series: { workflow, task }, trends }) =>
    trends.filter(({ alert }) => alert).map((trend) => `${declineNote(trend)} (${workflow} on ${task})`),
  );
  if (alerts.length > 0) return `▲ Alert: ${alerts.join('; ')}.`;
  const scores = views.reduce((sum, { series }) => sum + series.scores.length, 0);
  return `${formatAmount(scores, 'score')} in ${formatAmount(views.length, 'series', 'series')}; nothing fell three scores in a row.`;
}

function seriesTable(views: readonly View[]): TableBlock {
  return {
    kind: 'table',
    title: 'Series',
    limit: 10,
    columns: [
      { key: 'workflow', header: 'workflow', style: 'name' },
      { key: 'task', header: 'task', style: 'name' },
      { key: 'scores', header: 'scores', style: 'count' },
      { key: 'moved', header: 'detection rate', style: 'count' },
      { key: 'declines', header: 'falling', style: 'name' },
      { key: 'truth', header: 'truth', style: 'name' },
    ],
    rows: views.map(({ series: { workflow, task, scores, truthHash }, trends }) => {
      const falling = trends.filter(({ declines }) => declines > 0);
      return {
        workflow,
        task,
        scores: scores.length,
        moved: movedText(trends[0]),
        declines:
          falling.map(({ metric, declines }) => `${metricKey(metric)} ${declines}×`).join(', ') || 'no',
        truth: truthHash.slice(0, 8),
      };
    }),
  };
}

function movedText(trend: Trend | undefined): string {
  const [first, last] = [trend?.points[0], trend?.points.at(-1)];
  if (trend === undefined || first === undefined || last === undefined) return UNMEASURED;
  const now = formatValue(last.value, trend.unit);
  return first === last ? now : `${formatValue(first.value, trend.unit)} → ${now}`;
}

/** More lines than this cannot be told apart. */
const LINES = 6;

/** One picture per metric with the series of all workflows, where something can be seen to move. */
function charts(views: readonly View[]): Block[] {
  return METRICS.flatMap(({ id, title, unit }): Block[] => {
    const series = views.slice(0, LINES).flatMap(({ series: { workflow, task }, trends }) => {
      const points = trends.find(({ metric }) => metric === id)?.points ?? [];
      const line = {
        label: `${workflow} on ${task}`,
        points: points.map(({ at, value }) => ({ at, value })),
      };
      return points.length > 1 ? [line] : [];
    });
    if (series.length === 0) return [];
    const chart: SeriesChart = { kind: 'series', title: chartTitle(id, title, views), unit, series };
    return [{ kind: 'chart', chart }];
  });
}

function chartTitle(id: string, title: string, views: readonly View[]): string {
  const worst = views
    .flatMap(({ series, trends }) =>
      trends.filter(({ metric }) => metric === id).map((trend) => ({ series, trend })),
    )
    .toSorted((a, b) => b.trend.declines - a.trend.declines)[0];
  return worst !== undefined && worst.trend.declines > 1
    ? `${title} of ${worst.series.workflow} fell ${worst.trend.declines} scores in a row`
    : `${title}, score by score`;
}
