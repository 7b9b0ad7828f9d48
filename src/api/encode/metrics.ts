import type { z } from 'zod';
import type { Metric } from '../../measure/metric.ts';
import type { metricList } from '../schema/metrics.ts';

type Listed = Omit<Metric<never>, 'compute' | 'example'> & {
  readonly example: { readonly given: string; readonly value: number };
};

export function encodeMetricList(metrics: readonly Listed[]): z.infer<typeof metricList> {
  return {
    format: 'assay-metrics',
    version: 1,
    metrics: metrics.map(({ id, title, question, formula, unit, range, better, zones, aim, example }) => ({
      id,
      title,
      question,
      formula,
      unit,
      range: [range[0], Number.isFinite(range[1]) ? range[1] : null],
      better,
      zones: zones === undefined ? null : { ...zones },
      ...(aim && { aim: [aim[0], aim[1]] as [number, number] }),
      example: { given: example.given, value: example.value },
    })),
  };
}
