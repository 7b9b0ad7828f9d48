import type { HistogramChart, SeriesChart } from '../../../../src/report/chart.ts';
import { formatAmount, formatCount, formatValue } from '../../../../src/report/number.ts';
import { Chart } from '../../parts/chart.tsx';
import type { ProductionData } from './production-page.tsx';

type Span = ProductionData['spans'][number];

export function RequestsChart({ data }: { readonly data: ProductionData }) {
  const { spans, by } = data;
  const most = spans.reduce((one, other) => (other.requests > one.requests ? other : one));
  const chart: SeriesChart = {
    kind: 'series',
    title: `Up to ${formatAmount(most.requests, 'request')} a ${by}, ${formatAmount(data.whole.errors, 'of them', 'of them')} failed`,
    unit: 'count',
    fromZero: true,
    series: [
      { label: 'requests', points: spans.map(({ at, requests }) => ({ at, value: requests })) },
      { label: 'failed', points: spans.map(({ at, errors }) => ({ at, value: errors })) },
    ],
  };
  return <Chart chart={chart} />;
}

const QUANTILES = [
  ['p50', 'latency_p50_ms'],
  ['p95', 'latency_p95_ms'],
  ['p99', 'latency_p99_ms'],
] as const;
/** The alert of 7.3. */
const SLOW_MS = 5000;

export function LatencyChart({ data: { spans, whole } }: { readonly data: ProductionData }) {
  if (whole.latency_p95_ms.value === null) return <p class="sub">No request says how long it took.</p>;
  const chart: SeriesChart = {
    kind: 'series',
    title: `95 of 100 requests took at most ${formatValue(whole.latency_p95_ms.value, 'ms')}`,
    unit: 'ms',
    fromZero: true,
    series: QUANTILES.map(([label, key]) => ({ label, points: pointsOf(spans, key) })),
    ...((whole.latency_p99_ms.value ?? 0) > SLOW_MS / 2 && { lines: [{ label: 'alert', value: SLOW_MS }] }),
  };
  return <Chart chart={chart} />;
}

function pointsOf(spans: readonly Span[], key: (typeof QUANTILES)[number][1]) {
  return spans.flatMap((span) => (span[key].value === null ? [] : [{ at: span.at, value: span[key].value }]));
}

/** Below this an output is hardly sure of a concept (7.3). */
const SURE = 0.7;

export function ConfidenceChart({ data: { spans } }: { readonly data: ProductionData }) {
  const bins = spans.reduce<number[]>(
    (sum, { confidences }) => confidences.map((count, i) => count + (sum[i] ?? 0)),
    [],
  );
  const all = bins.reduce((sum, count) => sum + count, 0);
  if (all === 0) return <p class="sub">No output says how sure it is of its concepts.</p>;
  const sure = bins.slice(Math.round(SURE * bins.length)).reduce((sum, count) => sum + count, 0);
  const chart: HistogramChart = {
    kind: 'histogram',
    title: `${formatCount(sure)} of ${formatAmount(all, 'concept')} with a confidence of ${SURE} or more`,
    unit: 'score',
    label: 'confidence',
    bins: bins.map((count, i) => ({ from: i / bins.length, to: (i + 1) / bins.length, count })),
  };
  return <Chart chart={chart} />;
}
