import { decompositionMetrics, OPERATIONAL_METRICS, SAMPLED_METRICS } from '../decomposition/catalog.ts';
import { sessionMetrics } from '../session/catalog.ts';
import { workflowMetrics } from '../workflow/catalog.ts';
import type { Metric } from './metric.ts';

/** A metric whose evidence only its own instrument knows. */
export type AnyMetric = Omit<Metric<never>, 'compute' | 'example'> & {
  readonly example: { readonly given: string; readonly cases: readonly unknown[]; readonly value: number };
  readonly compute: (cases: readonly never[]) => ReturnType<Metric<never>['compute']>;
};

/** Every metric of the product, in report order. A new instrument adds one line. */
export const CATALOG: readonly AnyMetric[] = [
  ...decompositionMetrics(),
  ...OPERATIONAL_METRICS,
  ...SAMPLED_METRICS,
  ...sessionMetrics(),
  ...workflowMetrics(),
];
