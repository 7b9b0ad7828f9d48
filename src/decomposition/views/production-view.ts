import { meets } from '../../judge/zone.ts';
import type { Measurement, Metric, Unit } from '../../measure/metric.ts';
import { type Action, carry, type Given } from '../../report/action.ts';
import type { Chart } from '../../report/chart.ts';
import {
  formatAmount,
  formatCount,
  formatDate,
  formatMeasurement,
  formatValue,
} from '../../report/number.ts';
import { styleOf } from '../../report/text-table.ts';
import {
  type CellUnit,
  type Column,
  type ItemColumn,
  type Row,
  type Styled,
  type TableBlock,
  tableOf,
  type View,
} from '../../report/view.ts';
import { OPERATIONAL_METRICS, SAMPLED_METRICS } from '../catalog.ts';
import type { Drift } from '../production/drift.ts';
import type { OperationalFigures, Production, ProductionSpan } from '../production/production.ts';
import type { Activity, ActivityFigures, ExtractionFigures } from '../suite-run.ts';

type Aimed = Pick<Metric<never>, 'id' | 'title' | 'unit' | 'better' | 'zones' | 'aim'>;

/** `unclear`: the interval contains the line, or there are too few values for an interval. */
type Standing = 'met' | 'missed' | 'unclear' | 'not measured';

/** For values without an interval, the smallest useful number. */
const ENOUGH = 30;

const CARRIED = ['since', 'prompt-version', 'model', 'store', 'config'];

/** `golden`: the same figures over the golden cases, for comparison. */
export function productionView(production: Production, given: Given = {}, golden?: ActivityFigures): View {
  const { operational, sample } = production;
  if (operational.requests === 0) return nothingView(given);
  const rows = targetRows(
    new Map([
      ...OPERATIONAL_METRICS.map(({ id, compute }) => [id, compute(production.cells)] as const),
      ['decomposition/human-rated-accuracy', sample.acceptable],
      ['decomposition/user-feedback-score', sample.feedback],
      ['decomposition/provenance-verification', sample.quotesVerified],
    ]),
    golden && figuresById(golden),
  );
  const count = (standing: Standing) => rows.filter((row) => row.standing === standing).length;
  const missed = rows
    .filter(({ standing }) => standing === 'missed')
    .map(({ metric }) => String(metric).toLowerCase());
  return {
    title: 'Production',
    answer: [
      `${formatAmount(operational.requests, 'request')}, ${formatMeasurement(operational.errorRate, 'ratio')} failed.`,
      `${count('met')} of ${rows.length} targets are met${missed.length === 0 ? '' : `, ${missed.length} missed: ${missed.join(', ')}`}${count('not measured') === 0 ? '' : `; ${count('not measured')} could not be measured`}.`,
    ].join(' '),
    blocks: [
      ...productionCharts(production).map((chart) => ({ kind: 'chart' as const, chart, repeats: true })),
      ...(production.events.length > 0 ? [eventsTable(production)] : []),
      targetsTable(rows, golden !== undefined),
      ratedTable(production),
      ...(production.versions.length > 1 ? [versionsTable(production.versions)] : []),
      productionTable(production),
    ],
    notes: [
      sample.sampled === 0
        ? 'No request of this period was sampled, so the quality of the outputs is unknown.'
        : `${formatCount(sample.sampled)} requests were sampled and ${formatCount(sample.rated)} of them rated (${formatMeasurement(sample.shareRated, 'ratio')}); unrated ones are assumed to be similar.`,
      ...(sample.agreement.measured
        ? [
            `Raters agree with an alpha of ${formatMeasurement(sample.agreement, 'score')} on ${formatAmount(sample.agreement.n, 'output')} that several rated.`,
          ]
        : []),
      ...(sample.isPartial ? ['Older sampled requests were skipped.'] : []),
      ...(operational.requests > 0 && operational.errors > 0 ? [errorNote(production)] : []),
    ],
    next: nextOf(production, given),
  };
}

function nothingView(given: Given): View {
  return {
    title: 'Production',
    answer: 'No request of a service was recorded in this time.',
    blocks: [],
    notes: ['Requests come from monitor() in a service, from its spans, or by POST /api/v1/decompositions.'],
    next: [{ operation: 'serve', options: carry(given, ['store', 'config']) }],
  };
}

function nextOf({ sample, by }: Production, given: Given): Action[] {
  const same = carry(given, CARRIED);
  return [
    ...(sample.sampled > sample.rated
      ? [{ operation: 'production rate', options: carry(given, ['store', 'config']) }]
      : []),
    ...(by === 'day'
      ? []
      : [{ operation: 'production status', options: { ...same, since: '30d', by: 'day' } }]),
  ];
}

function errorNote({ cells }: Production): string {
  const kinds = new Map<string, number>();
  for (const { errorKinds } of cells)
    for (const [kind, n] of Object.entries(errorKinds)) kinds.set(kind, (kinds.get(kind) ?? 0) + n);
  const ranked = [...kinds].sort(([, a], [, b]) => b - a).slice(0, 3);
  return `Errors: ${ranked.map(([kind, n]) => `${kind} ${formatCount(n)}`).join(', ')}.`;
}

type TargetRow = Row & { readonly standing: Standing };

/** Each metric with its target; metrics without data are omitted. */
function targetRows(
  measured: ReadonlyMap<string, Measurement>,
  golden?: ReadonlyMap<string, Measurement>,
): TargetRow[] {
  const all: readonly Aimed[] = [...OPERATIONAL_METRICS, ...SAMPLED_METRICS];
  return all.flatMap((metric) => {
    const value = measured.get(metric.id);
    if (value === undefined) return [];
    const standing = standingOf(metric, value);
    const unit = styleOf(metric.unit);
    return [
      {
        metric: metric.title,
        value: { value, unit },
        golden: { value: golden?.get(metric.id), unit },
        target: targetWords(metric),
        standing,
        mark: MARKS[standing],
        n: value.measured ? value.n : undefined,
      },
    ];
  });
}

const MARKS: Readonly<Record<Standing, string>> = {
  met: '✓ met',
  missed: '▲ missed',
  unclear: '? unclear',
  'not measured': '– not measured',
};

function figuresById(figures: ActivityFigures): ReadonlyMap<string, Measurement> {
  return new Map([
    ['decomposition/concepts-per-topic', figures.concepts],
    ['decomposition/relationships-per-topic', figures.relationships],
    ['decomposition/average-confidence', figures.confidence],
    ['decomposition/decomposition-latency', figures.latencyP95],
    ['decomposition/cost-per-decomposition', figures.costUsd],
    ['decomposition/provenance-verification', figures.verified],
  ]);
}

function targetWords({ aim, zones, better, unit }: Aimed): string {
  if (aim !== undefined) return `${formatValue(aim[0], unit)}–${formatValue(aim[1], unit)}`;
  return zones === undefined ? '' : `${better === 'higher' ? '>' : '<'} ${formatValue(zones.target, unit)}`;
}

export function standingOf(
  {
    aim,
    zones,
    better,
  }: Pick<Aimed, 'aim' | 'better'> & { readonly zones?: { readonly target: number } | undefined },
  measurement: Measurement,
): Standing {
  if (!measurement.measured) return 'not measured';
  const { value, low = value, high = value, n } = measurement;
  if (measurement.low === undefined && n < ENOUGH) return 'unclear';
  const isMet = (one: number) => {
    if (aim !== undefined) return one >= aim[0] && one <= aim[1];
    return zones === undefined || meets(one, zones.target, better);
  };
  const ends = [isMet(low), isMet(value), isMet(high)];
  if (ends.every(Boolean)) return 'met';
  // An interval that extends beyond both ends of an aim is also unclear.
  const isAround = aim !== undefined && low < aim[0] && high > aim[1];
  return ends.some(Boolean) || isAround ? 'unclear' : 'missed';
}

function targetsTable(rows: readonly Row[], withGolden = false): TableBlock {
  return tableOf('Targets', rows, [
    { key: 'metric' },
    { key: 'value' },
    withGolden && { key: 'golden', title: 'golden cases' },
    { key: 'target' },
    { key: 'mark', title: '' },
    { key: 'n', unit: 'count' },
  ]);
}

function ratedTable({ sample: { hallucination, precision, recall } }: Production): TableBlock {
  const rows = [
    ['concepts that raters accept', precision],
    ['concepts found, of those that raters expect', recall],
    ['quotes that the text does not support', hallucination.unsupportedQuotes],
    ['concepts that the text never mentions', hallucination.unmentionedConcepts],
    ['concepts that a rater calls made up', hallucination.ratedFabrications],
  ] as const;
  return tableOf('Quality in the sample', rows, [
    { key: 'what', title: 'what was seen', of: ([what]) => what },
    { key: 'value', title: 'share', unit: 'ratio', of: ([, value]) => value },
    { key: 'n', title: 'outputs', unit: 'count', of: ([, value]) => (value.measured ? value.n : undefined) },
  ]);
}

function figureColumns<Item>(of: (item: Item) => ExtractionFigures): readonly ItemColumn<Item>[] {
  const column = (key: string, title: string, unit: CellUnit, figure: keyof ExtractionFigures) => ({
    key,
    title,
    unit,
    of: (item: Item) => of(item)[figure],
  });
  return [
    column('errors', 'failed', 'ratio', 'errorRate'),
    column('p50', 'p50', 'duration-ms', 'latencyP50'),
    column('p95', 'p95', 'duration-ms', 'latencyP95'),
    column('p99', 'p99', 'duration-ms', 'latencyP99'),
    column('cost', 'cost each', 'usd', 'costUsd'),
    column('concepts', 'concepts', 'count', 'concepts'),
    column('relationships', 'relationships', 'count', 'relationships'),
    column('confidence', 'confidence', 'score', 'confidence'),
  ];
}

const SPAN_FIGURES: readonly ItemColumn<ProductionSpan>[] = [
  { key: 'requests', unit: 'count', of: ({ figures }) => figures.requests },
  ...figureColumns<ProductionSpan>(({ figures }) => figures),
];

function versionsTable(versions: readonly ProductionSpan[]): TableBlock {
  return tableOf('By prompt version and model', versions, [
    { key: 'version', title: 'prompt', unit: 'name', of: ({ cell }) => cell.promptVersion },
    { key: 'model', unit: 'name', of: ({ cell }) => cell.model },
    ...SPAN_FIGURES,
  ]);
}

export function productionTable({ spans, by }: Production): TableBlock {
  const at = { ...atColumn(by), of: ({ cell }: ProductionSpan) => cell.at };
  return tableOf(`By ${by}`, spans, [at, ...SPAN_FIGURES], { folded: true });
}

function atColumn(by: Production['by']): Column {
  return { key: 'at', title: `${by} (UTC)`, unit: by === 'day' ? 'day' : 'time' };
}

const EVENT_MARKS = { alert: '▲ alert', prompt: '● prompt', experiment: '◆ experiment' } as const;

function eventsTable({ events }: Production): TableBlock {
  return tableOf('What happened', events.toReversed(), [
    { key: 'at', title: 'when (UTC)', unit: 'time' },
    { key: 'kind', of: ({ kind }) => EVENT_MARKS[kind] },
    { key: 'what', of: ({ text }) => text },
  ]);
}

/** The alert of 7.3. */
const SLOW_MS = 5000;

function productionCharts({ spans, by, operational, cells, events }: Production): Chart[] {
  const marks = events;
  const most = Math.max(...spans.map(({ figures }) => figures.requests));
  const points = (value: (figures: OperationalFigures) => number | undefined) =>
    spans.flatMap(({ cell: { at }, figures }) => {
      const found = value(figures);
      return found === undefined ? [] : [{ at, value: found }];
    });
  const numberOf = (one: Measurement) => (one.measured ? one.value : undefined);
  const { latencyP95, latencyP99 } = operational;
  return [
    {
      kind: 'series',
      title: `Up to ${formatAmount(most, 'request')} a ${by}, ${formatCount(operational.errors)} of them failed`,
      unit: 'count',
      fromZero: true,
      series: [
        { label: 'requests', points: points(({ requests }) => requests) },
        { label: 'failed', points: points(({ errors }) => errors) },
      ],
      marks,
    },
    ...(operational.concepts.measured
      ? [
          {
            kind: 'series',
            title: `${formatValue(operational.concepts.value, 'count')} concepts${operational.relationships.measured ? ` and ${formatValue(operational.relationships.value, 'count')} relationships` : ''} per request`,
            unit: 'count',
            fromZero: true,
            series: [
              { label: 'concepts', points: points((figures) => numberOf(figures.concepts)) },
              { label: 'relationships', points: points((figures) => numberOf(figures.relationships)) },
            ].filter((one) => one.points.length > 0),
            marks,
          } as const,
        ]
      : []),
    ...(latencyP95.measured
      ? [
          {
            kind: 'series',
            title: `95 of 100 requests took at most ${formatValue(latencyP95.value, 'ms')}`,
            unit: 'ms',
            fromZero: true,
            series: [
              { label: 'p50', points: points((figures) => numberOf(figures.latencyP50)) },
              { label: 'p95', points: points((figures) => numberOf(figures.latencyP95)) },
              { label: 'p99', points: points((figures) => numberOf(figures.latencyP99)) },
            ],
            ...((numberOf(latencyP99) ?? 0) > SLOW_MS / 2 && { lines: [{ label: 'alert', value: SLOW_MS }] }),
            marks,
          } as const,
        ]
      : []),
    ...confidenceOverTime(spans, marks),
    ...confidenceChart(
      cells.reduce<number[]>(
        (sum, { confidence }) => confidence.bins.map((count, i) => count + (sum[i] ?? 0)),
        [],
      ),
    ),
  ];
}

/** Below this confidence an output is uncertain about a concept (7.3). */
const SURE = 0.7;

const CONFIDENCE_SHARES = [
  ['p10', 0.1],
  ['median', 0.5],
  ['p90', 0.9],
] as const;

/** The spread of confidence in each span: three quantiles over concepts. */
function confidenceOverTime(spans: readonly ProductionSpan[], marks: Production['events']): Chart[] {
  const known = spans.filter(({ cell }) => cell.confidence.n > 0);
  if (known.length < 2) return [];
  const [first, last] = [known[0], known.at(-1)].map((one) =>
    confidenceAt(one?.cell.confidence.bins ?? [], 0.5),
  );
  return [
    {
      kind: 'series',
      title: `Median confidence of concepts: ${(first ?? 0).toFixed(2)} at first, ${(last ?? 0).toFixed(2)} at last`,
      unit: 'score',
      series: CONFIDENCE_SHARES.map(([label, share]) => ({
        label,
        points: known.map(({ cell: { at, confidence } }) => ({
          at,
          value: confidenceAt(confidence.bins, share),
        })),
      })),
      lines: [{ label: 'alert', value: SURE }],
      marks,
    },
  ];
}

/** The confidence quantile for this share, interpolated linearly within its bin. */
function confidenceAt(bins: readonly number[], share: number): number {
  let left = share * bins.reduce((sum, count) => sum + count, 0);
  for (const [i, count] of bins.entries()) {
    if (count > 0 && left <= count) return (i + left / count) / bins.length;
    left -= count;
  }
  return 1;
}

function confidenceChart(bins: readonly number[]): Chart[] {
  const all = bins.reduce((sum, count) => sum + count, 0);
  if (all === 0) return [];
  const sure = bins.slice(Math.round(SURE * bins.length)).reduce((sum, count) => sum + count, 0);
  return [
    {
      kind: 'histogram',
      title: `${formatCount(sure)} of ${formatAmount(all, 'concept')} with a confidence of ${SURE} or more`,
      unit: 'score',
      label: 'confidence',
      bins: bins.map((count, i) => ({ from: i / bins.length, to: (i + 1) / bins.length, count })),
    },
  ];
}

export function activityView({ whole, hours, days, confidences, partial }: Activity): View {
  const overTime = (rows: Activity['days'], by: 'day' | 'hour'): TableBlock =>
    tableOf(
      by === 'day' ? 'By day' : 'By hour',
      rows.toReversed(),
      [
        atColumn(by),
        { key: 'runs', unit: 'count' },
        { key: 'outputs', unit: 'count' },
        ...figureColumns<Activity['days'][number]>((one) => one),
        { key: 'total', title: 'cost', unit: 'usd', of: ({ totalCostUsd }) => totalCostUsd },
      ],
      { folded: by === 'hour' },
    );
  return {
    title: 'As it ran',
    answer:
      whole.outputs === 0
        ? 'No stored run has outputs.'
        : `${formatAmount(whole.outputs, 'output')} of ${partial ? 'the latest ' : ''}${formatAmount(whole.runs, 'stored run')}, ${formatMeasurement(whole.errorRate, 'ratio')} failed.`,
    blocks:
      whole.outputs === 0
        ? []
        : [
            targetsTable(targetRows(figuresById(whole))),
            ...confidenceChart(confidences).map((chart) => ({
              kind: 'chart' as const,
              chart,
              repeats: true,
            })),
            overTime(days, 'day'),
            overTime(hours, 'hour'),
          ],
    notes: whole.outputs === 0 ? [] : ['n counts cases: outputs for the same case are alike.'],
    next: [],
  };
}

const DRIFT_NAMES: Readonly<Record<Drift['parts'][number]['what'], readonly [string, Unit]>> = {
  confidence: ['Mean confidence', 'score'],
  concepts: ['Concepts per topic', 'count'],
  relationships: ['Relationships per topic', 'count'],
  confidences: ['Distribution of confidence', 'ratio'],
  predicates: ['Distribution of predicates', 'ratio'],
};

const DRIFT_MARKS = {
  moved: '▲ moved',
  'no sign': '✓ no sign of it',
  'too few to tell': '– too few to tell',
} as const;

export function driftView({ before, after, parts, level, leastRequests }: Drift): View {
  return {
    title: 'Drift',
    answer: `${formatAmount(after.requests, 'request')} of the last day against ${formatCount(before.requests)} of the week ${formatDate(before.since)} to ${formatDate(before.until)}.`,
    blocks: [
      tableOf('Drift: the last day against the week before', parts, [
        { key: 'what', unit: 'name', of: ({ what }) => DRIFT_NAMES[what][0] },
        { key: 'before', title: 'week before', of: (part) => sideOf(part, 'before') },
        { key: 'after', title: 'last day', of: (part) => sideOf(part, 'after') },
        { key: 'most', title: 'moved most', of: ({ most }) => most?.name ?? '' },
        { key: 'stability', title: 'stability index', unit: 'score' },
        { key: 'mark', title: 'verdict', of: ({ verdict }) => DRIFT_MARKS[verdict] },
      ]),
    ],
    notes: [
      `Hourly checks raise a false alarm in at most ${formatValue(level, 'ratio')} of the weeks. Below ${formatCount(leastRequests)} requests on either side there is no result.`,
    ],
    next: [],
  };
}

function sideOf({ what, most, ...part }: Drift['parts'][number], side: 'before' | 'after'): Styled {
  return { value: (most ?? part)[side], unit: styleOf(DRIFT_NAMES[what][1]) };
}
