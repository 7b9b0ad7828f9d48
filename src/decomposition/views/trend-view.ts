import { declineNote } from '../../judge/judge.ts';
import type { Trend } from '../../judge/trend.ts';
import { metricKey } from '../../measure/metric.ts';
import { type Action, carry, type Given } from '../../report/action.ts';
import type { SeriesChart } from '../../report/chart.ts';
import { formatAmount, formatDate, formatValue } from '../../report/number.ts';
import { styleOf } from '../../report/text-table.ts';
import type { Block, Row, TableBlock, View } from '../../report/view.ts';
import type { SuiteTrends, TrendView } from '../history.ts';

/** One row per run or week, newest last, with the metrics as columns. */
export function trendTable({ views, weekly, metrics }: SuiteTrends): TableBlock {
  const rows = views.flatMap(({ series, points }): Row[] => {
    const byTime = new Map<string, Row>();
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
      { key: 'subject', title: 'subject', unit: 'name' },
      weekly
        ? { key: 'at', title: 'week', unit: 'text' }
        : { key: 'at', title: 'measured (UTC)', unit: 'time' },
      ...(weekly ? [{ key: 'runs', title: 'runs', unit: 'count' } as const] : []),
      ...metrics.map(({ id, title, unit }) => ({ key: metricKey(id), title: title, unit: styleOf(unit) })),
    ],
    rows,
  };
}

/** `path`: the history path as a user would type it. */
export function trendView(trends: SuiteTrends, path: string, given?: Given): View {
  const { views, others, weekly } = trends;
  return {
    title: 'Trend',
    answer: views.length === 0 ? `No complete run in ${path} yet.` : answerOf(views),
    blocks: [
      ...views.flatMap((view) => chartsOf(view, weekly, views.length > 1)),
      ...(views.length > 0 ? [trendTable(trends)] : []),
    ],
    notes: [
      ...(others > 0 ? [`${formatAmount(others, 'more series', 'more series')} in ${path} (--all).`] : []),
      ...views.flatMap(standardNotes),
      'A decline is a fall of more than one point from one run to the next; three in a row alert.',
    ],
    next: given === undefined ? [] : views.length === 0 ? [runNext(given)] : trendsNext(given, weekly),
  };
}

/** The standard does not change numbers, but whether a run passed. */
function standardNotes({ series: { subject, runs } }: TrendView): string[] {
  const changes = runs.filter((run, i) => i > 0 && run.standard !== runs[i - 1]?.standard);
  return changes.map(
    ({ at, standard }) => `${subject}: from ${formatDate(at)} on held to the standard ${standard}.`,
  );
}

function runNext(given: Given): Action {
  return { operation: 'decomposition run', options: carry(given, ['history', 'config']) };
}

function trendsNext(given: Given, weekly: boolean): Action[] {
  const same = carry(given, ['subject', 'weekly', 'all', 'history', 'config']);
  const trend = (options: NonNullable<Action['options']>) => ({ operation: 'decomposition trend', options });
  return [
    ...(weekly ? [] : [trend({ weekly: true, ...same })]),
    trend({ format: 'html', out: 'quality.html', ...same }),
  ];
}

function answerOf(views: readonly TrendView[]): string {
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
function chartsOf({ series, trends, points }: TrendView, weekly: boolean, named: boolean): Block[] {
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
