import type { IntervalsChart } from '../../../../src/report/chart.ts';
import { formatAmount, formatRatio } from '../../../../src/report/number.ts';
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
              {apartIn(data)} Intervals: {data.intervals}.
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

/** Which of them can be told apart, after correcting for how many pairs there are. */
function apartIn({ pairs }: Leaderboard): string {
  const told = pairs.filter(({ holm }) => holm < 0.05);
  if (told.length === 0) return 'No two of them can be told apart.';
  return `${told.map(({ better, worse }) => `${better} is better than ${worse}`).join('; ')}.`;
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
      <div class="named">
        {workflow}
        <div class="sub">
          {formatAmount(tasks, 'task')}, {formatAmount(runs, 'run')}
        </div>
      </div>
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
    show: ({ unjudged }) => formatRatio(unjudged),
    hint: 'Share of the findings that await judgement',
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
