import type { SeriesChart } from '../../../../src/report/chart.ts';
import { formatCents, formatScore } from '../../../../src/report/number.ts';
import type { ListedGroup, SessionList } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Chart, useChartsSoon } from '../../parts/chart.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Show } from '../../parts/states.tsx';
import { choose } from '../../router/location.ts';
import { NoSessions } from './list-view.tsx';
import { narrowingOf, periodOf } from './session-filters.ts';

const STEPS = [
  { value: 'day', name: 'days' },
  { value: 'week', name: 'weeks' },
  { value: 'month', name: 'months' },
];

type Point = SeriesChart['series'][number]['points'][number];

/** Q, cost and volume over time. */
export function TimeView({ query }: { readonly query: URLSearchParams }) {
  useChartsSoon();
  const step = query.get('step') ?? (periodOf(query).days === undefined ? 'week' : 'day');
  const list = useResource<SessionList>('sessions/summary', { ...narrowingOf(query), by: step }, [
    'session.scored',
  ]);
  return (
    <>
      <div class="row spread">
        <Segments label="Step" choices={STEPS} chosen={step} onChoose={(value) => choose({ step: value })} />
      </div>
      <Show of={list} rows={8}>
        {({ groups }) =>
          groups.length === 0 ? (
            <NoSessions isNarrowed />
          ) : (
            <div class="grid g2even">
              {chartsOf(groups.toSorted(byTime), step).map((chart) => (
                <section key={chart.title} class="card">
                  <Chart chart={chart} />
                </section>
              ))}
            </div>
          )
        }
      </Show>
    </>
  );
}

function byTime(a: ListedGroup, b: ListedGroup): number {
  return (a.key ?? '') < (b.key ?? '') ? -1 : 1;
}

function chartsOf(groups: readonly ListedGroup[], step: string): readonly SeriesChart[] {
  const series = (title: string, unit: SeriesChart['unit'], points: readonly Point[]): SeriesChart => ({
    kind: 'series',
    title,
    unit,
    fromZero: true,
    series: [{ label: title, points }],
  });
  const q = groups.flatMap(({ key, q: { value, low, high } }): Point[] =>
    key === null || value === null
      ? []
      : [{ at: key, value, ...(low !== null && high !== null && { low, high }) }],
  );
  const cost = pointsOf(groups, ({ cost_usd }) => cost_usd);
  const each = pointsOf(groups, ({ cost_usd, sessions, cost_unknown: unknown }) =>
    cost_usd === null || sessions === unknown ? null : cost_usd / (sessions - unknown),
  );
  return [
    series(qTitle(q), 'score', q),
    series(
      `Sessions per ${step}`,
      'count',
      pointsOf(groups, ({ sessions }) => sessions),
    ),
    series(costTitle(groups, step), 'usd', cost),
    series('Cost of a session, where it is known', 'usd', each),
  ].filter((chart) => (chart.series[0]?.points.length ?? 0) > 0);
}

function pointsOf(groups: readonly ListedGroup[], value: (group: ListedGroup) => number | null): Point[] {
  return groups.flatMap((group) => {
    const found = value(group);
    return group.key === null || found === null ? [] : [{ at: group.key, value: found }];
  });
}

/** The sum is that of the page: sessions without a date have a cost too, and no place in the chart. */
function costTitle(groups: readonly ListedGroup[], step: string): string {
  const sum = (some: readonly ListedGroup[]) =>
    some.reduce((total, { cost_usd }) => total + (cost_usd ?? 0), 0);
  const atLeast = groups.some((group) => group.cost_usd_is_lower_bound || group.cost_unknown > 0);
  const undated = sum(groups.filter(({ key }) => key === null));
  const beside = undated > 0 ? `, ${formatCents(undated)} of it without a date` : '';
  return `Cost per ${step}: ${atLeast ? 'at least ' : ''}${formatCents(sum(groups))} in all${beside}`;
}

/** Says what to see; whether it moved is only said where the intervals of both ends lie apart. */
function qTitle(points: readonly Point[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return 'Mean Q';
  const apart =
    first.low !== undefined && last.low !== undefined && first.high !== undefined && last.high !== undefined;
  const went = `${formatScore(first.value)} to ${formatScore(last.value)}`;
  if (apart && (last.low ?? 0) > (first.high ?? 1)) return `Mean Q rose: ${went}`;
  if (apart && (last.high ?? 1) < (first.low ?? 0)) return `Mean Q fell: ${went}`;
  return `Mean Q, ${went}: no change is shown`;
}
