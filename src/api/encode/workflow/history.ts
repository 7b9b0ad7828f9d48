import type { z } from 'zod';
import { metricKey } from '../../../measure/metric.ts';
import type { SeriesView } from '../../../workflow/reports/score-series.ts';
import type { workflowHistory } from '../../schema/workflow/history.ts';

export function encodeHistory(views: readonly SeriesView[]): z.infer<typeof workflowHistory> {
  return views.map(({ series: { workflow, task, truthHash, matcher, scores }, earlier, trends }) => ({
    workflow,
    task,
    truth_hash: truthHash,
    matcher_version: matcher,
    scores: scores.length,
    earlier_series: earlier,
    metrics: Object.fromEntries(
      trends.map(({ metric, declines, alert, points }) => [
        metricKey(metric),
        { declines, alert, points: points.map(({ runId, at, value }) => ({ run_id: runId, at, value })) },
      ]),
    ),
  }));
}
