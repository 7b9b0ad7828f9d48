import type { Metric } from '../measure/metric.ts';
import type { MeasuredSession } from './measured-session.ts';
import { completion } from './metrics/completion.ts';
import { efficiency } from './metrics/efficiency.ts';
import { execution } from './metrics/execution.ts';
import { outcome } from './metrics/outcome.ts';
import { q } from './metrics/q.ts';

/** In report order. */
export function sessionMetrics(): readonly Metric<MeasuredSession>[] {
  return [completion, execution, efficiency, outcome, q];
}
