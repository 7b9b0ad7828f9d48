import { AssayError } from '../../errors.ts';
import { TREND_RULE, type TrendRule, trendOf } from '../../judge/trend.ts';
import { metricKey } from '../../measure/metric.ts';
import type { Store } from '../../store/store.ts';
import { historyMetrics } from '../../workflow/catalog.ts';
import {
  earlierSeries,
  pointsOf,
  type ScoreSeries,
  type SeriesView,
  scoreSeries,
} from '../../workflow/reports/score-series.ts';
import type { Ports } from '../ports.ts';

export type HistoryRequest = {
  readonly workflow?: string;
  readonly task?: string;
  /** Include series against earlier ground truths or with earlier matchers. */
  readonly earlier: boolean;
};

/** Depth ranges from 1 to 5, so 0.05 corresponds to one point of a hundred. */
const DEPTH_RULE: TrendRule = { ...TREND_RULE, noisePoints: 5 };

/** The stored scores of workflows as time series. */
export async function readHistory(request: HistoryRequest, ports: Ports): Promise<readonly SeriesView[]> {
  const series = wanted(request, await readSeries(await ports.store('looking')));
  const shown = request.earlier
    ? series
    : series.filter((one) => !series.some((other) => earlierSeries(series, other).includes(one)));
  const metrics = historyMetrics();
  return shown.map((one) => ({
    ...one,
    earlierSeries: earlierSeries(series, one).length,
    trends: metrics.map((metric) =>
      trendOf(metric, pointsOf(one, metric.id), metricKey(metric.id) === 'dq' ? DEPTH_RULE : TREND_RULE),
    ),
  }));
}

async function readSeries(store: Store): Promise<ScoreSeries[]> {
  const scores = await store.listRuns({ instrument: 'workflow', withoutErrors: true });
  const tasks = new Map<string, string>();
  for (const { truthHash = '', runId } of scores) {
    if (!tasks.has(truthHash)) tasks.set(truthHash, await taskOf(store, runId));
  }
  return scoreSeries(scores, (truthHash) => tasks.get(truthHash) ?? 'unknown');
}

/** A ground truth belongs to one task, so any of its scores names the task. */
async function taskOf(store: Store, runId: string): Promise<string> {
  const evidence = (await store.readRun(runId))?.cases[0]?.evidence as
    | { readonly task?: unknown }
    | undefined;
  return typeof evidence?.task === 'string' ? evidence.task : 'unknown';
}

function wanted({ workflow, task }: HistoryRequest, series: readonly ScoreSeries[]): readonly ScoreSeries[] {
  const chosen = series.filter(
    (one) => (workflow ?? one.workflow) === one.workflow && (task ?? one.task) === one.task,
  );
  if (series.length > 0 && chosen.length === 0) {
    const known = [...new Set(series.map((one) => `${one.workflow} on ${one.task}`))].join(', ');
    throw new AssayError('USAGE', `the store has no such score; there is ${known}`);
  }
  return chosen;
}
