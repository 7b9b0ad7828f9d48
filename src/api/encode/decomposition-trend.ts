import type { z } from 'zod';
import type { SuiteTrends, TrendView } from '../../decomposition/trend-view.ts';
import { metricKey } from '../../measure/metric.ts';
import type { decompositionTrend, decompositionTrendRow } from '../schema/decomposition-trend.ts';

type Wire = z.infer<typeof decompositionTrend>;

export function encodeTrends({ weekly, views }: SuiteTrends): Wire {
  return { format: 'assay-decomposition-trend', version: 1, weekly, series: views.map(encodeSeries) };
}

function encodeSeries({ series, trends, points }: TrendView): Wire['series'][number] {
  const { subject, extractor, prompt, golden_hash, scorer, runs } = series;
  return {
    subject,
    extractor,
    prompt,
    truth_hash: golden_hash,
    scorer,
    n_runs: runs.length,
    metrics: Object.fromEntries(
      trends.map(({ metric, declines, alert }) => [
        metricKey(metric),
        {
          declines,
          alert,
          points: (points.get(metric) ?? []).map(({ runId, ...point }) => ({
            ...point,
            ...(runId !== undefined && { run_id: runId }),
          })),
        },
      ]),
    ),
  };
}

/** One line each of `--format jsonl`: a run or a week, oldest first, with every metric by its key. */
export function encodeTrendRows({ views, metrics }: SuiteTrends): z.infer<typeof decompositionTrendRow>[] {
  return views.flatMap(({ series, points }) => {
    const byTime = new Map<string, z.infer<typeof decompositionTrendRow>>();
    for (const { id } of metrics) {
      for (const { at, value, week, runs } of points.get(id) ?? []) {
        const row = byTime.get(at) ?? {
          subject: series.subject,
          at: week ?? at,
          runs: runs ?? 1,
          metrics: {},
        };
        byTime.set(at, { ...row, metrics: { ...row.metrics, [metricKey(id)]: value } });
      }
    }
    return [...byTime].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  });
}
