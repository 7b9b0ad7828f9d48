import type { IntervalsChart } from '../../../../src/report/chart.ts';
import { formatAmount } from '../../../../src/report/number.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Chart } from '../../parts/chart.tsx';
import { Measured } from '../../parts/measured.tsx';
import { Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import type { Leaderboard } from './shapes.ts';

type Row = Leaderboard['workflows'][number];

/** Workflows over all tasks, one row each, and which of them can be told apart. */
export function LeaderboardCard({ path }: { readonly path: string }) {
  const board = useResource<Leaderboard>('workflow/leaderboard', { experiment: path });
  return (
    <Show of={board} rows={4}>
      {(data) => (
        <div class="grid g2">
          <Card title="Leaderboard" aside={`over ${formatAmount(data.tasks.length, 'task')}`}>
            <Table
              caption="Leaderboard"
              rows={data.workflows}
              rowKey={({ workflow }) => workflow}
              columns={COLUMNS}
            />
            <p class="sub">
              {data.pairs.length === 0
                ? 'No two of them can be told apart.'
                : data.pairs.map(({ better, worse }) => `${better} is better than ${worse}`).join('; ')}{' '}
              Intervals: {data.intervals}.
            </p>
          </Card>
          <Card title="Detection rate">
            <Chart chart={chartOf(data)} />
          </Card>
        </div>
      )}
    </Show>
  );
}

const measured = (
  key: 'f1' | 'dr' | 'precision',
  header: string,
  unit: 'ratio' | 'percent',
): Column<Row> => ({
  key,
  header,
  numeric: true,
  value: (row) => row[key].value,
  show: (row) => <Measured of={row[key]} unit={unit} />,
});

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'workflow',
    header: 'workflow',
    names: true,
    value: ({ workflow }) => workflow,
    show: ({ workflow, tasks, runs }) => (
      <>
        {workflow}
        <div class="sub">
          {formatAmount(tasks, 'task')}, {formatAmount(runs, 'run')}
        </div>
      </>
    ),
  },
  measured('f1', 'F1', 'ratio'),
  measured('dr', 'detection', 'percent'),
  measured('precision', 'precision', 'ratio'),
  { key: 'better_than', header: 'better than', numeric: true, value: (row) => row.better_than },
  { key: 'worse_than', header: 'worse than', numeric: true, value: (row) => row.worse_than },
  {
    key: 'unjudged',
    header: 'unjudged',
    numeric: true,
    value: ({ unjudged }) => unjudged,
    hint: 'Findings that await judgement',
  },
];

function chartOf({ workflows }: Leaderboard): IntervalsChart {
  const known = workflows.filter(({ dr }) => dr.value !== null);
  const best = known.toSorted((a, b) => (b.dr.value ?? 0) - (a.dr.value ?? 0))[0];
  return {
    kind: 'intervals',
    title: best === undefined ? 'Nothing was measured' : `${best.workflow} detects most on these tasks`,
    unit: 'percent',
    rows: known.map(({ workflow, dr }) => ({
      label: workflow,
      value: dr.value ?? 0,
      ...(dr.low !== null && dr.high !== null && { low: dr.low, high: dr.high }),
    })),
  };
}
