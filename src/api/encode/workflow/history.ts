import type { z } from 'zod';
import { metricKey } from '../../../measure/metric.ts';
import type { SeriesView } from '../../../workflow/reports/score-series.ts';
import type { historyRow, workflowHistory } from '../../schema/workflow/history.ts';
import { encodeMeasurement } from '../measurement.ts';

export function encodeHistory(views: readonly SeriesView[]): z.infer<typeof workflowHistory> {
  return {
    format: 'assay-workflow-history',
    version: 1,
    series: views.map(({ series: { workflow, task, truthHash, matcher, scores }, earlier, trends }) => ({
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
    })),
  };
}

export function encodeHistoryRows(views: readonly SeriesView[]): z.infer<typeof historyRow>[] {
  return views.flatMap(({ series: { workflow, task, truthHash, matcher, scores }, trends }) =>
    scores.map(({ runId, at, caseCount, metrics }) => ({
      workflow,
      task,
      run_id: runId,
      at,
      runs: caseCount,
      metrics: Object.fromEntries(
        trends.flatMap(({ metric }) => {
          const one = metrics[metric];
          return one === undefined ? [] : [[metricKey(metric), encodeMeasurement(one)]];
        }),
      ),
      truth_hash: truthHash,
      matcher_version: matcher,
    })),
  );
}
