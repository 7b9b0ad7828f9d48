import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { readTotals, type ServiceTotals } from '../../operations/production/read-totals.ts';
import { rawRoute } from '../route.ts';

const { OPENMETRICS_CONTENT_TYPE, PROMETHEUS_CONTENT_TYPE } = Registry;

/** One for each format: writing the newer one takes the `_total` off the names of counters, for good. */
const processes = new Map<string, Registry>();

/** Memory, CPU and event loop of this process, however many servers a test opens in it. */
function processMetrics(type: string): Registry {
  const known = processes.get(type) ?? new Registry();
  if (!processes.has(type)) collectDefaultMetrics({ register: known });
  processes.set(type, known);
  return known;
}

export const PROMETHEUS = [
  rawRoute({
    method: 'GET',
    path: '/metrics',
    summary: 'Production, alerts and this process as OpenMetrics, for Prometheus to scrape',
    scope: 'read',
    isOfAll: true,
    produces: 'application/openmetrics-text',
    handle: async ({ request }, { project }) => {
      const accepted = request.headers.get('accept') ?? '';
      const isOld = accepted.includes('text/plain') && !accepted.includes('openmetrics');
      const type = isOld ? PROMETHEUS_CONTENT_TYPE : OPENMETRICS_CONTENT_TYPE;
      const registry = new Registry() as Registry<typeof type>;
      registry.setContentType(type);
      for (const family of familiesOf(await readTotals(project))) {
        // Not counted in this process but read from the store: the library writes it, and asks for no more than this.
        const metric = { ...family, get: async () => ({ ...family, name: metric.name }) };
        registry.registerMetric(metric as unknown as Metric);
      }
      for (const metric of processMetrics(type).getMetricsAsArray())
        registry.registerMetric(metric as unknown as Metric);
      return new Response(await registry.metrics(), {
        headers: { 'content-type': type, 'cache-control': 'no-store' },
      });
    },
  }),
];

type Labels = Readonly<Record<string, string | number>>;

/** The format of the client library; a sample of a histogram or a summary has a name of its own. */
type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly values: readonly {
    readonly value: number;
    readonly labels: Labels;
    readonly metricName?: string;
  }[];
};

type Cell = ServiceTotals['production'][number];
type Sum = { readonly n: number; readonly sum: number };

function familiesOf({ production, alerts, pending }: ServiceTotals): readonly Family[] {
  const over = (name: string, help: string, of: (cell: Cell) => Sum) => summary(name, help, production, of);
  return [
    {
      name: 'assay_decompositions_total',
      help: 'Requests of the decomposition service',
      type: 'counter',
      values: production.flatMap((cell) => [
        { value: cell.requests - cell.errors, labels: { ...labelsOf(cell), outcome: 'ok' } },
        { value: cell.errors, labels: { ...labelsOf(cell), outcome: 'error' } },
      ]),
    },
    durationFamily(production),
    confidenceFamily(production),
    over('assay_decomposition_cost_usd', 'Cost of a request in dollars, where known', ({ cost }) => cost),
    over('assay_decomposition_concepts', 'Concepts of an output', ({ concepts }) => concepts),
    over(
      'assay_decomposition_relationships',
      'Relationships of an output',
      ({ relationships }) => relationships,
    ),
    {
      name: 'assay_decomposition_tokens_total',
      help: 'Tokens, where known',
      type: 'counter',
      values: production.flatMap((cell) =>
        (['input', 'output'] as const).map((direction) => ({
          value: cell.tokens[direction],
          labels: { ...labelsOf(cell), direction },
        })),
      ),
    },
    {
      name: 'assay_decomposition_sampled_total',
      help: 'Sampled requests',
      type: 'counter',
      values: production.map((cell) => ({ value: cell.sampled, labels: labelsOf(cell) })),
    },
    parts(
      'assay_decomposition_sampled_quotes_total',
      'Quotes of sampled outputs, by whether they occur in the text',
      production,
      'verified',
      ({ quotes }) => [quotes.verified, quotes.given - quotes.verified],
    ),
    parts(
      'assay_decomposition_sampled_concepts_total',
      'Concepts of sampled outputs, by whether the text mentions them',
      production,
      'mentioned',
      ({ mentions }) => [mentions.concepts - mentions.unmentioned, mentions.unmentioned],
    ),
    alertFamily(alerts),
    {
      name: 'assay_deliveries_pending',
      help: 'Pending deliveries',
      type: 'gauge',
      values: [...pending].map(([target, value]) => ({ value, labels: { target } })),
    },
  ];
}

function labelsOf({ promptVersion = '', model = '' }: Cell): Labels {
  return { prompt_version: promptVersion, model };
}

function parts(
  name: string,
  help: string,
  cells: readonly Cell[],
  label: string,
  of: (cell: Cell) => readonly [yes: number, no: number],
): Family {
  return {
    name,
    help,
    type: 'counter',
    values: cells.flatMap((cell) => {
      const [yes, no] = of(cell);
      return [
        { value: yes, labels: { ...labelsOf(cell), [label]: 'true' } },
        { value: no, labels: { ...labelsOf(cell), [label]: 'false' } },
      ];
    }),
  };
}

function summary(name: string, help: string, cells: readonly Cell[], of: (cell: Cell) => Sum): Family {
  return {
    name,
    help,
    type: 'summary',
    values: cells.flatMap((cell) => [
      { value: of(cell).sum, labels: labelsOf(cell), metricName: `${name}_sum` },
      { value: of(cell).n, labels: labelsOf(cell), metricName: `${name}_count` },
    ]),
  };
}

/** Counts up to and with each bound, all of them, and their sum. */
function histogram(
  name: string,
  labels: Labels,
  buckets: readonly (readonly [bound: number, count: number])[],
  { n, sum }: Sum,
): Family['values'] {
  return [
    ...buckets.map(([le, value]) => ({ value, labels: { ...labels, le }, metricName: `${name}_bucket` })),
    { value: n, labels: { ...labels, le: '+Inf' }, metricName: `${name}_bucket` },
    { value: sum, labels, metricName: `${name}_sum` },
    { value: n, labels, metricName: `${name}_count` },
  ];
}

function durationFamily(cells: readonly Cell[]): Family {
  const name = 'assay_decomposition_duration_seconds';
  return {
    name,
    help: 'Time from request to response, accurate to 1%',
    type: 'histogram',
    values: cells.flatMap((cell) => histogram(name, labelsOf(cell), cell.durations.upTo, cell.durations)),
  };
}

function confidenceFamily(cells: readonly Cell[]): Family {
  const name = 'assay_decomposition_confidence_ratio';
  return {
    name,
    help: 'Confidence of concepts',
    type: 'histogram',
    values: cells.flatMap((cell) => {
      const { bins } = cell.confidence;
      let seen = 0;
      const buckets = bins.map((count, i) => {
        seen += count;
        return [Number(((i + 1) / bins.length).toFixed(4)), seen] as const;
      });
      return histogram(name, labelsOf(cell), buckets, cell.confidence);
    }),
  };
}

function alertFamily(alerts: ServiceTotals['alerts']): Family {
  const groups = Map.groupBy(alerts, ({ rule, severity, state }) => JSON.stringify([rule, severity, state]));
  return {
    name: 'assay_alerts',
    help: 'Unresolved alerts',
    type: 'gauge',
    values: [...groups.values()].flatMap((group) =>
      group
        .slice(0, 1)
        .map(({ rule, severity, state }) => ({ value: group.length, labels: { rule, severity, state } })),
    ),
  };
}
