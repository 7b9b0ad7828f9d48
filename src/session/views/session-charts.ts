/** Pictures of what groups of sessions come to. */
import type { IntervalsChart, SeriesChart } from '../../report/chart.ts';
import { formatCents, formatScore } from '../../report/number.ts';
import type { ListedGroup, ListGroup } from '../session-groups.ts';

const DRAWN = 12;

export function groupChart(
  groups: readonly ListedGroup[],
  by: ListGroup,
  nameOf: (key: string | undefined) => string,
): IntervalsChart | undefined {
  const measured = groups
    .flatMap(({ key, q }) => (q.measured ? [{ key, ...q }] : []))
    .toSorted((a, b) => b.n - a.n);
  const rows = measured
    .slice(0, DRAWN)
    .map(({ key, n, value, low, high }) => ({ label: `${nameOf(key)} · n ${n}`, value, low, high }))
    .toSorted((a, b) => b.value - a.value);
  const [best, worst] = [rows[0], rows.at(-1)];
  if (best === undefined || worst === undefined) return undefined;
  const what = measured.length > DRAWN ? `Mean Q of the ${by}s with the most sessions` : `Mean Q by ${by}`;
  // Without an interval nothing says that they differ.
  const overlap = best.low === undefined || worst.high === undefined || best.low <= worst.high;
  const title =
    best === worst
      ? what
      : `${what}: ${formatScore(worst.value)} to ${formatScore(best.value)}${overlap ? ', their intervals overlap' : ''}`;
  return { kind: 'intervals', title, unit: 'score', rows };
}

type Point = SeriesChart['series'][number]['points'][number];

/** Q, volume and cost over time. */
export function timeCharts(groups: readonly ListedGroup[], by: string): readonly SeriesChart[] {
  const ordered = groups.toSorted((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  const pointsOf = (value: (group: ListedGroup) => number | undefined): Point[] =>
    ordered.flatMap((group) => {
      const found = value(group);
      return group.key === undefined || found === undefined ? [] : [{ at: group.key, value: found }];
    });
  const series = (title: string, unit: SeriesChart['unit'], points: readonly Point[]): SeriesChart => ({
    kind: 'series',
    title,
    unit,
    fromZero: true,
    series: [{ label: title, points }],
  });
  const q = ordered.flatMap(({ key, q: one }): Point[] =>
    key === undefined || !one.measured ? [] : [{ at: key, value: one.value, low: one.low, high: one.high }],
  );
  return [
    series(qTitle(q), 'score', q),
    series(
      `Sessions per ${by}`,
      'count',
      pointsOf(({ sessions }) => sessions),
    ),
    series(
      costTitle(ordered, by),
      'usd',
      pointsOf(({ costUsd }) => costUsd),
    ),
    series(
      'Cost of a session, where it is known',
      'usd',
      pointsOf(({ costUsd, sessions, costUnknown }) =>
        costUsd === undefined || sessions === costUnknown ? undefined : costUsd / (sessions - costUnknown),
      ),
    ),
  ].filter((chart) => (chart.series[0]?.points.length ?? 0) > 1);
}

/** Sessions without a date have a cost too, and no place in the chart. */
function costTitle(groups: readonly ListedGroup[], by: string): string {
  const sum = (some: readonly ListedGroup[]) => some.reduce((total, { costUsd = 0 }) => total + costUsd, 0);
  const atLeast = groups.some(({ costIsLowerBound, costUnknown }) => costIsLowerBound || costUnknown > 0);
  const undated = sum(groups.filter(({ key }) => key === undefined));
  return `Cost per ${by}: ${atLeast ? 'at least ' : ''}${formatCents(sum(groups))} in all${undated > 0 ? `, ${formatCents(undated)} of it without a date` : ''}`;
}

/** Whether it moved is only said where the intervals of both ends lie apart. */
function qTitle(points: readonly Point[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return 'Mean Q';
  const went = `${formatScore(first.value)} to ${formatScore(last.value)}`;
  if (last.low !== undefined && first.high !== undefined && last.low > first.high)
    return `Mean Q rose: ${went}`;
  if (last.high !== undefined && first.low !== undefined && last.high < first.low)
    return `Mean Q fell: ${went}`;
  return `Mean Q, ${went}: no change is shown`;
}
