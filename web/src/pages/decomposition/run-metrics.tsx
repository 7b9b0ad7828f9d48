import { formatChange } from '../../../../src/report/number.ts';
import { changeTone } from '../../../../src/report/zone-mark.ts';
import { type MetricNames, metricName } from '../../api/use-resource.ts';
import { Measured, ZoneOf } from '../../parts/measured.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import type { Change, Judged } from './shapes.ts';

type Row = { readonly key: string; readonly of: Judged; readonly change: Change | undefined };

/** The metrics of a suite with their zones, and beside them what they did since another run. */
export function RunMetrics({
  metrics,
  changes,
  names,
  limit = 20,
}: {
  readonly metrics: Readonly<Record<string, Judged>>;
  readonly changes?: Readonly<Record<string, Change>> | undefined;
  readonly names: MetricNames;
  readonly limit?: number;
}) {
  const rows = Object.entries(metrics).map(([key, of]): Row => ({ key, of, change: changes?.[key] }));
  return (
    <Table
      caption="Metrics of the suite"
      rows={rows}
      rowKey={({ key }) => key}
      limit={limit}
      columns={[...columnsOf(names), ...(changes === undefined ? [] : [changeColumn(names)])]}
    />
  );
}

function columnsOf(names: MetricNames): readonly Column<Row>[] {
  return [
    {
      key: 'metric',
      title: 'metric',
      names: true,
      value: ({ key }) => key,
      show: ({ key }) => (
        <div class="named" data-hint={metricName(names, key).question}>
          {metricName(names, key).title}
        </div>
      ),
    },
    {
      key: 'value',
      title: 'value',
      numeric: true,
      value: ({ of }) => of.value,
      show: ({ key, of }) => <Measured of={of} unit={metricName(names, key).unit} />,
    },
    { key: 'low', title: 'low', unseen: true, value: ({ of }) => of.low },
    { key: 'high', title: 'high', unseen: true, value: ({ of }) => of.high },
    { key: 'n', title: 'n', numeric: true, value: ({ of }) => of.n },
    { key: 'zone', title: 'zone', value: ({ of }) => of.zone, show: ({ of }) => <ZoneOf of={of} /> },
  ];
}

function changeColumn(names: MetricNames): Column<Row> {
  return {
    key: 'change_points',
    title: 'change',
    numeric: true,
    hint: 'Percentage points, as the value moved; the colour says whether that is better',
    value: ({ change }) => change?.points ?? null,
    show: ({ key, change }) => <Moved change={change} name={metricName(names, key)} />,
  };
}

/** What a value did, with its sign, in words for whom colour says nothing. */
export function Moved({
  change,
  name,
}: {
  readonly change: Change | undefined;
  readonly name: { readonly better: 'higher' | 'lower' };
}) {
  if (change === undefined) return <span class="faint">–</span>;
  if (change.points === null) return <span class="faint">{change.size}</span>;
  return (
    <span class={`keep tone-${changeTone(change.size)}`} data-hint={change.size}>
      {formatChange(change.points, 'percent', name.better).replace(' points', '')}
      <span class="unseen"> points, {change.size}</span>
    </span>
  );
}
