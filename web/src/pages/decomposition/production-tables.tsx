import type { Measured as Measurement } from '../../api/shapes.ts';
import { Measured, type Unit, Value } from '../../parts/measured.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { FiguresTable } from './figures-table.tsx';
import type { Activity, ProductionData } from './production-page.tsx';
import { TargetMark } from './target-mark.tsx';
import { EXTRACTION_FIGURES, QUOTES_TARGET, type Target } from './targets.ts';

export function BesideGolden({
  data,
  golden,
}: {
  readonly data: ProductionData;
  readonly golden: Activity['whole'] | undefined;
}) {
  const rows = EXTRACTION_FIGURES.map((figure) => ({
    ...figure,
    of: data.whole[figure.key],
    // More requests cost more: the sums of two do not compare.
    beside: figure.key === 'total_cost_usd' ? undefined : golden?.[figure.key],
  }));
  return (
    <Table
      caption="Production beside its targets and the golden cases"
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        { key: 'figure', header: 'figure', names: true, value: ({ name }) => name },
        {
          key: 'production',
          header: 'production',
          numeric: true,
          value: ({ of }) => of.value,
          show: ({ of, unit }) => <Measured of={of} unit={unit} />,
        },
        {
          key: 'golden',
          header: 'golden',
          numeric: true,
          value: ({ beside }) => beside?.value,
          show: ({ beside, unit }) =>
            beside === undefined ? (
              <span class="faint">–</span>
            ) : (
              <Value of={beside.value} unit={unit} reason={beside.reason} />
            ),
        },
        {
          key: 'target',
          header: 'target',
          value: ({ target }) => target?.says,
          show: ({ of, target }) => <TargetMark of={of} target={target} />,
        },
      ]}
    />
  );
}

type Sample = ProductionData['sample'];

/** 7.2, and what can be known of hallucination where there are no canaries. */
const SAMPLED: readonly {
  readonly key: Exclude<keyof Sample, 'sampled' | 'rated' | 'partial'>;
  readonly name: string;
  readonly unit: Unit;
  readonly target?: Target;
}[] = [
  {
    key: 'acceptable',
    name: 'Rated acceptable',
    unit: 'ratio',
    target: { says: 'over 80%', met: (value) => value > 0.8 },
  },
  {
    key: 'feedback',
    name: 'Feedback of users, 1–5',
    unit: 'count',
    target: { says: 'over 4.0', met: (value) => value > 4 },
  },
  {
    key: 'quotes_verified',
    name: 'Quotes that stand in the text',
    unit: 'ratio',
    target: QUOTES_TARGET,
  },
  { key: 'unsupported_quotes', name: 'Quotes that do not', unit: 'ratio' },
  { key: 'unmentioned_concepts', name: 'Concepts the text never mentions', unit: 'ratio' },
  { key: 'rated_fabrications', name: 'Concepts a rater calls made up', unit: 'ratio' },
  { key: 'share_rated', name: 'Share of the sample that was rated', unit: 'ratio' },
];

export function SampleTable({ sample }: { readonly sample: Sample }) {
  const figures = SAMPLED.map((figure) => ({ ...figure, of: sample[figure.key] }));
  return <FiguresTable caption="What the sample says" figures={figures} />;
}

type Version = ProductionData['versions'][number];

export function VersionTable({ versions }: { readonly versions: readonly Version[] }) {
  return (
    <Table
      caption="By prompt version and model"
      rows={versions}
      rowKey={(row) => `${row.prompt_version} ${row.model}`}
      columns={[
        { key: 'prompt', header: 'prompt', names: true, value: (row) => row.prompt_version ?? 'unknown' },
        { key: 'model', header: 'model', value: (row) => row.model ?? 'unknown' },
        { key: 'requests', header: 'requests', numeric: true, value: (row) => row.requests },
        ...columnsOf<Version>(['error_rate', 'latency_p95_ms', 'confidence', 'cost_usd']),
      ]}
    />
  );
}

type Span = ProductionData['spans'][number];

export function SpanTable({
  spans,
  by,
}: {
  readonly spans: readonly Span[];
  readonly by: ProductionData['by'];
}) {
  return (
    <Table
      caption={`By ${by}`}
      rows={spans.toReversed()}
      rowKey={({ at }) => at}
      columns={[
        {
          key: 'at',
          header: `${by} (UTC)`,
          names: true,
          value: ({ at }) => at,
          show: ({ at }) => <span class="keep">{by === 'day' ? at.slice(0, 10) : at.slice(11, 16)}</span>,
        },
        { key: 'requests', header: 'requests', numeric: true, value: ({ requests }) => requests },
        ...columnsOf<Span>([
          'error_rate',
          'latency_p50_ms',
          'latency_p95_ms',
          'latency_p99_ms',
          'concepts',
          'relationships',
          'confidence',
          'total_cost_usd',
        ]),
        { key: 'sampled', header: 'sampled', numeric: true, value: ({ sampled }) => sampled },
      ]}
    />
  );
}

const HEADERS = {
  error_rate: ['errors', 'ratio'],
  latency_p50_ms: ['p50', 'ms'],
  latency_p95_ms: ['p95', 'ms'],
  latency_p99_ms: ['p99', 'ms'],
  concepts: ['concepts', 'count'],
  relationships: ['relationships', 'count'],
  confidence: ['confidence', 'score'],
  cost_usd: ['cost each', 'usd'],
  total_cost_usd: ['cost', 'usd'],
} as const satisfies Record<string, readonly [string, Unit]>;

function columnsOf<Row extends { readonly [K in keyof typeof HEADERS]: Measurement }>(
  keys: readonly (keyof typeof HEADERS)[],
): Column<Row>[] {
  return keys.map((key) => {
    const [header, unit] = HEADERS[key];
    return {
      key,
      header,
      numeric: true,
      value: (row) => row[key].value,
      show: (row) => <Value of={row[key].value} unit={unit} reason={row[key].reason} />,
    };
  });
}
