import {
  type HistorySeries,
  historySeries,
  pointsOf,
  readHistory,
  type SuiteTrends,
  type TrendView,
  type TrendViewPoint,
  weeklyPoints,
} from '../../decomposition/history.ts';
import { gatePolicy, type Standard, standardMetrics } from '../../decomposition/standard.ts';
import { AssayError } from '../../errors.ts';
import { trendOf } from '../../judge/trend.ts';
import { metricKey } from '../../measure/metric.ts';
import { checkStandard } from './check-standard.ts';

export type ReadTrendsRequest = {
  readonly history: string;
  /** Only runs of this subject; default: the latest one, or all of them with `all`. */
  readonly subject?: string;
  readonly all: boolean;
  readonly weekly: boolean;
  /** Its gated metrics are shown. */
  readonly thresholds: Standard;
};

export function readTrends(request: ReadTrendsRequest): SuiteTrends {
  const { history, subject, weekly } = request;
  const all = historySeries(readHistory(history));
  const wanted = subject === undefined ? all : all.filter((one) => one.subject === subject);
  if (subject !== undefined && all.length > 0 && wanted.length === 0) {
    const known = [...new Set(all.map((one) => one.subject))].join(', ');
    throw new AssayError('USAGE', `no run of "${subject}" in ${history}; there is ${known}`);
  }
  checkStandard(request.thresholds);
  const { gated } = gatePolicy(request.thresholds);
  const metrics = standardMetrics(request.thresholds).filter(({ id }) => gated.includes(id));
  const shown = request.all || subject !== undefined ? wanted : wanted.slice(0, 1);
  return {
    history,
    weekly,
    metrics,
    views: shown.map((series) => viewOf(series, metrics, weekly)),
    others: all.length - shown.length,
  };
}

function viewOf(
  series: HistorySeries,
  metrics: ReturnType<typeof standardMetrics>,
  weekly: boolean,
): TrendView {
  const points = new Map<string, readonly TrendViewPoint[]>();
  const trends = metrics.map((metric) => {
    const runs = pointsOf(series, metricKey(metric.id));
    points.set(metric.id, weekly ? weeklyPoints(runs) : runs);
    return trendOf(metric, runs);
  });
  return { series, trends, points };
}
