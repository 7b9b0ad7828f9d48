/** Views of scores over time. */
import { declineNote } from '../../judge/judge.ts';
import type { Trend } from '../../judge/trend.ts';
import { estimate, metricKey } from '../../measure/metric.ts';
import { type Action, carry } from '../../report/action.ts';
import type { SeriesChart } from '../../report/chart.ts';
import { formatAmount } from '../../report/number.ts';
import { styleOf } from '../../report/text-table.ts';
import {
  type Block,
  type Cell,
  type ItemColumn,
  type TableBlock,
  tableOf,
  type View,
} from '../../report/view.ts';
import { historyMetrics } from '../catalog.ts';
import type { SeriesView } from '../reports/score-series.ts';
import { inSameStore, type Typed } from './next-steps.ts';
import { withoutInterval } from './score-metrics.ts';

/** One row per score, oldest first. */
export function scoresTable(views: readonly SeriesView[]): TableBlock {
  const scores = views.flatMap(({ scores: own, ...series }) => own.map((score) => ({ ...series, ...score })));
  return tableOf(
    'Scores',
    scores,
    [
      { key: 'workflow', unit: 'name' },
      { key: 'task', unit: 'name' },
      { key: 'at', title: 'scored (UTC)', unit: 'time' },
      { key: 'runs', unit: 'count', of: ({ caseCount }) => caseCount },
      ...historyMetrics().map(
        ({ id, title, unit }): ItemColumn<(typeof scores)[number]> => ({
          key: metricKey(id),
          title,
          unit: styleOf(unit),
          of: ({ metrics: { [id]: one } }) => one && withoutInterval(one),
        }),
      ),
      { key: 'truth_hash', title: 'ground truth', unit: 'name' },
      { key: 'matcher_version', title: 'matcher', unit: 'name' },
    ],
    { folded: true },
  );
}

export function historyView(views: readonly SeriesView[], typed?: Typed): View {
  if (views.length === 0)
    return {
      title: 'History',
      answer: 'The store has no score of a workflow yet.',
      blocks: [],
      notes: [],
      next: [{ operation: 'workflow score', options: { help: true } }],
    };
  const earlier = views.reduce((sum, { earlierSeries }) => sum + earlierSeries, 0);
  return {
    title: 'History',
    answer: answerOf(views),
    blocks: [seriesTable(views), ...charts(views), scoresTable(views)],
    notes: [
      earlier > 0 &&
        `A changed ground truth or matcher begins a new series: ${formatAmount(earlier, 'earlier series', 'earlier series')} (--all).`,
      'A decline is a fall of more than one point from one score to the next (0.01 of precision, 0.05 of depth); three in a row alert.',
    ].filter((note) => note !== false),
    next: typed ? [pageOf(typed)] : [],
  };
}

function pageOf(typed: Typed): Action {
  const same = carry(typed.given, ['workflow', 'task', 'all']);
  return { ...inSameStore('workflow history', typed, { ...same, format: 'html' }), into: 'history.html' };
}

function answerOf(views: readonly SeriesView[]): string {
  const alerts = views.flatMap(({ workflow, task, trends }) =>
    trends.filter(({ alert }) => alert).map((trend) => `${declineNote(trend)} (${workflow} on ${task})`),
  );
  if (alerts.length > 0) return `▲ Alert: ${alerts.join('; ')}.`;
  const scores = views.reduce((sum, { scores: own }) => sum + own.length, 0);
  return `${formatAmount(scores, 'score')} in ${formatAmount(views.length, 'series', 'series')}; nothing fell three scores in a row.`;
}

function seriesTable(views: readonly SeriesView[]): TableBlock {
  return tableOf(
    'Series',
    views,
    [
      { key: 'workflow', unit: 'name' },
      { key: 'task', unit: 'name' },
      { key: 'scores', unit: 'count', of: ({ scores }) => scores.length },
      { key: 'moved', title: 'detection rate', unit: 'percent', of: ({ trends }) => movedOf(trends[0]) },
      { key: 'declines', title: 'falling', unit: 'name', of: ({ trends }) => declinesOf(trends) },
      { key: 'truth', unit: 'id', of: ({ truthHash }) => truthHash },
    ],
    { limit: 10 },
  );
}

function declinesOf(trends: readonly Trend[]): Cell {
  const falling = trends.filter(({ declines }) => declines > 0);
  return falling.length === 0
    ? 'no'
    : falling.map(({ metric, declines }) => ({ name: metricKey(metric), value: declines, unit: 'times' }));
}

/** The change from the first score to the last; a single score is shown as it is. */
function movedOf(trend: Trend | undefined): Cell {
  const [first, last] = [trend?.points[0], trend?.points.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const now = estimate(last.value, 1);
  return first === last ? now : { before: estimate(first.value, 1), now };
}

/** More lines than this are indistinguishable. */
const LINES = 6;

/** One chart per metric with the series of all workflows, if there is a change to show. */
function charts(views: readonly SeriesView[]): Block[] {
  return historyMetrics().flatMap(({ id, title, unit }): Block[] => {
    const series = views.slice(0, LINES).flatMap(({ workflow, task, trends }) => {
      const points = trends.find(({ metric }) => metric === id)?.points ?? [];
      const line = {
        label: `${workflow} on ${task}`,
        points: points.map(({ at, value }) => ({ at, value })),
      };
      return points.length > 0 ? [line] : [];
    });
    // A workflow with one score is only a dot, so it needs no line.
    if (!series.some(({ points }) => points.length > 1)) return [];
    const chart: SeriesChart = { kind: 'series', title: chartTitle(id, title, views), unit, series };
    return [{ kind: 'chart', chart }];
  });
}

function chartTitle(id: string, title: string, views: readonly SeriesView[]): string {
  const worst = views
    .flatMap(({ workflow, trends }) =>
      trends.filter(({ metric }) => metric === id).map((trend) => ({ workflow, trend })),
    )
    .toSorted((a, b) => b.trend.declines - a.trend.declines)[0];
  return worst !== undefined && worst.trend.declines > 1
    ? `${title} of ${worst.workflow} fell ${worst.trend.declines} scores in a row`
    : `${title}, score by score`;
}
