import type { z } from 'zod';
import type { SuiteTrends, TrendView } from '../../decomposition/trend-view.ts';
import { metricKey } from '../../measure/metric.ts';
import type { decompositionTrend } from '../schema/decomposition-trend.ts';

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
