/** Is the dearer model worth it? Cost against quality, with the line that nothing beats. */
import type { ScatterChart } from '../../../../src/report/chart.ts';
import { formatCents, formatCount, formatPerUsd } from '../../../../src/report/number.ts';
import { agentName } from '../../api/agent-names.ts';
import type { Frontier, RoiRow, SessionRoi } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Chart, useChartsSoon } from '../../parts/chart.tsx';
import { Measured, Unmeasured } from '../../parts/measured.tsx';
import { Pill } from '../../parts/pill.tsx';
import { ScatterKey } from '../../parts/scatter-key.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { choose } from '../../router/location.ts';
import { RouteCard } from './route-card.tsx';
import { namesAmong, narrowingOf, shortModel } from './session-filters.ts';
import { worthTitle } from './worth-title.ts';

/** What stands on the line, and what does not. */
const PLACES: Readonly<Record<string, string>> = {
  frontier: 'nothing is better for less',
  below: 'another is better for less',
  unclear: 'too few to tell',
};

type TypeFrontier = Frontier['task_types'][number];

const BY = [
  { value: 'model', name: 'model' },
  { value: 'agent', name: 'agent' },
];

export function WorthView({ query }: { readonly query: URLSearchParams }) {
  useChartsSoon();
  const by = query.get('by') === 'agent' ? 'agent' : 'model';
  const frontier = useResource<Frontier>('sessions/frontier', { ...narrowingOf(query), by });
  const roi = useResource<SessionRoi>('sessions/roi', { ...narrowingOf(query), by });
  return (
    <>
      <div class="row spread">
        <Segments label="By" choices={BY} chosen={by} onChoose={(value) => choose({ by: value })} />
      </div>
      <Show of={frontier} rows={8}>
        {({ task_types: types }) => {
          const drawn = types.filter(({ points }) => points.length > 1);
          return drawn.length === 0 ? (
            <Empty>
              No task type has sessions with a score and a price of two {by}s yet: there is nothing to
              compare.
            </Empty>
          ) : (
            <>
              <div class="grid g2even">
                {drawn.map((one) => (
                  <section key={one.task_type} class="card">
                    <Chart chart={chartOf(one)} />
                    <ScatterKey chart={chartOf(one)} name={(place) => PLACES[place] ?? place} />
                  </section>
                ))}
              </div>
              <Comparisons types={types} by={by} />
            </>
          );
        }}
      </Show>
      {by === 'model' && <RouteCard query={query} />}
      <Card title="Q for a dollar">
        <Show of={roi} rows={5}>
          {({ groups }) => (
            <Table
              caption={`Q for a dollar by ${by}`}
              columns={roiColumns(
                by,
                namesOf(
                  by,
                  groups.flatMap((row) => row[by] ?? []),
                ),
              )}
              rows={groups}
              rowKey={(row) => `${row.task_type} ${row[by] ?? ''}`}
              main
              empty={<Empty>No session has both a score and a price.</Empty>}
            />
          )}
        </Show>
      </Card>
    </>
  );
}

type NameOf = (key: string) => string;

/** Without the day a model was made unless that tells it from another, and an agent as people call it. */
function namesOf(by: string, keys: readonly string[]): NameOf {
  return by === 'agent' ? agentName : namesAmong(keys, shortModel);
}

function roiColumns(by: 'model' | 'agent', nameOf: NameOf): readonly Column<RoiRow>[] {
  return [
    {
      key: by,
      header: by,
      names: true,
      value: (row) => row[by] ?? 'not known',
      show: (row) => nameOf(row[by] ?? 'not known'),
    },
    { key: 'task_type', header: 'task', value: ({ task_type }) => task_type },
    { key: 'n', header: 'sessions', numeric: true, value: ({ q }) => q.n, show: ({ q }) => formatCount(q.n) },
    {
      key: 'q',
      header: 'mean Q',
      numeric: true,
      value: ({ q }) => q.value,
      show: ({ q }) => <Measured of={q} unit="score" />,
    },
    {
      key: 'cost_usd',
      header: 'mean cost',
      numeric: true,
      value: ({ cost_usd }) => cost_usd.value,
      show: ({ cost_usd }) => <Measured of={cost_usd} unit="usd" />,
    },
    {
      key: 'roi',
      header: 'Q per dollar',
      numeric: true,
      value: ({ roi }) => roi.value,
      show: ({ roi }) => (roi.value === null ? <Unmeasured reason={roi.reason} /> : formatPerUsd(roi.value)),
    },
  ];
}

function chartOf({ task_type: type, points, comparisons }: TypeFrontier): ScatterChart {
  const nameOf = namesAmong(
    points.map(({ key }) => key),
    shortModel,
  );
  const drawn = points.flatMap(({ key, q, cost_usd: cost, place }) =>
    q.value === null || cost.value === null || cost.value <= 0
      ? []
      : [
          {
            label: `${nameOf(key)} · n ${q.n}`,
            x: cost.value,
            y: q.value,
            ...(q.low !== null && q.high !== null && { low: q.low, high: q.high }),
            group: place,
          },
        ],
  );
  const best = drawn.filter(({ group }) => group === 'frontier').toSorted((a, b) => a.x - b.x);
  return {
    kind: 'scatter',
    title: worthTitle(type, comparisons[0]),
    x: { label: 'mean cost of a session', unit: 'usd', scale: 'log' },
    y: { label: 'mean Q', unit: 'score' },
    points: drawn,
    frontier: best.map(({ x, y }) => ({ x, y })),
  };
}

const TONES = { 'worth it': 'good', 'not worth it': 'caution', 'too few to tell': 'quiet' } as const;
const MARKS = { 'worth it': '✓', 'not worth it': '▲', 'too few to tell': '–' } as const;

function Comparisons({ types, by }: { readonly types: readonly TypeFrontier[]; readonly by: string }) {
  const rows = types.flatMap(({ task_type: type, comparisons }) =>
    comparisons.map((one) => ({ type, ...one })),
  );
  if (rows.length === 0) return null;
  const nameOf = namesOf(
    by,
    rows.flatMap(({ dearer, cheaper }) => [dearer.key, cheaper.key]),
  );
  return (
    <Card title={`Is the dearer ${by} worth it?`}>
      <Table
        caption={`Is the dearer ${by} worth it?`}
        rows={rows}
        rowKey={({ type, dearer, cheaper }) => `${type} ${dearer.key} ${cheaper.key}`}
        columns={[
          { key: 'task_type', header: 'task', names: true, value: ({ type }) => type },
          {
            key: 'dearer',
            header: 'dearer',
            value: ({ dearer }) => dearer.key,
            show: ({ dearer }) => nameOf(dearer.key),
          },
          {
            key: 'cheaper',
            header: 'cheaper',
            value: ({ cheaper }) => cheaper.key,
            show: ({ cheaper }) => nameOf(cheaper.key),
          },
          {
            key: 'cost_ratio',
            header: 'costs',
            numeric: true,
            value: (row) => row.cost_ratio,
            show: ({ cost_ratio: ratio, dearer }) =>
              ratio === null ? formatCents(dearer.cost_usd.value ?? 0) : `${ratio.toFixed(1)} ×`,
          },
          {
            key: 'quality',
            header: 'more Q',
            numeric: true,
            value: ({ quality }) => quality.value,
            show: ({ quality }) => <Measured of={quality} unit="score" />,
          },
          {
            key: 'verdict',
            header: 'verdict',
            value: ({ verdict }) => verdict,
            show: ({ verdict, because }) => (
              <span data-hint={because}>
                <Pill tone={TONES[verdict]}>
                  {MARKS[verdict]} {verdict}
                </Pill>
              </span>
            ),
          },
          {
            key: 'needed_per_model',
            header: 'sessions to tell',
            numeric: true,
            value: (row) => row.needed_per_model,
            show: ({ needed_per_model: needed }) => (needed === null ? '–' : formatCount(needed)),
          },
        ]}
      />
    </Card>
  );
}
