import '../quality.css';
import './decomposition.css';
import type { z } from 'zod';
import type { decompositionActivity } from '../../../../src/api/schema/decomposition-activity.ts';
import type { HistogramChart } from '../../../../src/report/chart.ts';
import { formatAmount, formatDate } from '../../../../src/report/number.ts';
import type { Measured as Measurement } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Chart } from '../../parts/chart.tsx';
import { Value } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { FiguresTable } from './figures-table.tsx';
import { EXTRACTION_FIGURES, type ExtractionFigure, QUOTES_TARGET } from './targets.ts';

type Activity = z.infer<typeof decompositionActivity>;
type Bucket = Activity['hours'][number];
type Key = Exclude<keyof Activity['whole'], 'runs' | 'outputs'>;

const FIGURES: readonly ExtractionFigure<Key>[] = [
  ...EXTRACTION_FIGURES,
  { key: 'verified_quotes', name: 'Quotes that stand in the text', unit: 'ratio', target: QUOTES_TARGET },
];

/** How extraction went: errors, latency, cost and how much came of it. */
export function ActivityPage({ query }: PageProps) {
  const by = query.get('by') === 'hour' ? 'hour' : 'day';
  const activity = useResource<Activity>('decomposition/activity', {}, ['run.stored']);
  return (
    <Page
      title="As it ran"
      live
      actions={
        <a class="chip" href="/decomposition">
          all runs
        </a>
      }
      {...(activity.data && { lead: leadOf(activity.data) })}
    >
      <Show of={activity} rows={8}>
        {(data) =>
          data.whole.outputs === 0 ? (
            <Card title="Nothing ran yet">
              <Empty command="assay decomposition run">
                No stored run has outputs to look at. This makes one:
              </Empty>
            </Card>
          ) : (
            <Told data={data} by={by} />
          )
        }
      </Show>
    </Page>
  );
}

function leadOf({ whole, partial }: Activity) {
  return (
    <>
      <b>{formatAmount(whole.outputs, 'output')}</b> of {formatAmount(whole.runs, 'run')} that are kept here
      {partial && ', the latest ones'}. <a href="/decomposition/production">Requests in production</a> have a
      page of their own.
    </>
  );
}

function Told({ data, by }: { readonly data: Activity; readonly by: 'hour' | 'day' }) {
  return (
    <>
      <div class="grid g2">
        <Card title="All of them" aside="n are cases: outputs for the same one are alike">
          <Whole whole={data.whole} />
        </Card>
        <Card title="Confidence">
          <Confidence data={data} />
        </Card>
      </div>
      <Card
        title={by === 'hour' ? 'By hour' : 'By day'}
        aside={
          <Segments
            label="Length of time"
            choices={[
              { value: 'day', name: 'days' },
              { value: 'hour', name: 'hours' },
            ]}
            chosen={by}
            onChoose={(value) => choose({ by: value === 'day' ? undefined : value })}
          />
        }
      >
        <OverTime rows={by === 'hour' ? data.hours : data.days} by={by} />
      </Card>
    </>
  );
}

function Whole({ whole }: { readonly whole: Activity['whole'] }) {
  const figures = FIGURES.map((figure) => ({ ...figure, of: whole[figure.key] as Measurement }));
  return <FiguresTable caption="How extraction went" figures={figures} />;
}

function Confidence({ data: { confidences, whole } }: { readonly data: Activity }) {
  if (whole.confidence.value === null)
    return <p class="sub">No output says how sure it is of its concepts.</p>;
  const sure = confidences.slice(7).reduce((sum, count) => sum + count, 0);
  const all = confidences.reduce((sum, count) => sum + count, 0);
  const chart: HistogramChart = {
    kind: 'histogram',
    title: `${sure} of ${formatAmount(all, 'concept')} with a confidence of 0.7 or more`,
    unit: 'score',
    label: 'confidence',
    bins: confidences.map((count, index) => ({ from: index / 10, to: (index + 1) / 10, count })),
  };
  return <Chart chart={chart} />;
}

const SHOWN: readonly Key[] = [
  'error_rate',
  'latency_p50_ms',
  'latency_p95_ms',
  'concepts',
  'relationships',
  'confidence',
  'total_cost_usd',
];

const SHORT: Partial<Record<Key, string>> = {
  error_rate: 'errors',
  latency_p50_ms: 'p50',
  latency_p95_ms: 'p95',
  concepts: 'concepts',
  relationships: 'relationships',
  confidence: 'confidence',
  total_cost_usd: 'cost',
};

function OverTime({ rows, by }: { readonly rows: readonly Bucket[]; readonly by: 'hour' | 'day' }) {
  return (
    <Table
      caption={by === 'hour' ? 'Extraction by hour' : 'Extraction by day'}
      rows={rows.toReversed()}
      rowKey={({ at }) => at}
      main
      columns={[
        {
          key: 'at',
          header: by,
          names: true,
          value: ({ at }) => at,
          show: ({ at }) => <span class="keep">{by === 'hour' ? formatDate(at) : at.slice(0, 10)}</span>,
        },
        { key: 'runs', header: 'runs', numeric: true, value: ({ runs }) => runs },
        { key: 'outputs', header: 'outputs', numeric: true, value: ({ outputs }) => outputs },
        ...FIGURES.map(({ key, unit, name }): Column<Bucket> => {
          const seen = SHOWN.includes(key);
          return {
            key,
            header: SHORT[key] ?? name,
            hint: name,
            numeric: true,
            ...(!seen && { unseen: true }),
            value: (row) => row[key].value,
            show: (row) => <Value of={row[key].value} unit={unit} reason={row[key].reason} />,
          };
        }),
      ]}
    />
  );
}
