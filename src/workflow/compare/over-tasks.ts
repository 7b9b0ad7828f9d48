import { estimate, type Measurement, type Metric, unmeasured } from '../../measure/metric.ts';
import { mean } from '../../stats/mean.ts';
import type { RunEvidence } from '../evidence.ts';

/** Every task counts the same, however often it was reviewed: more runs of an easy one are no improvement. */
export function overTasks(
  metric: Metric<RunEvidence>,
  before: readonly RunEvidence[],
  after: readonly RunEvidence[],
): readonly [Measurement, Measurement] {
  const tasksOf = (runs: readonly RunEvidence[]) => Map.groupBy(runs, ({ task }) => task);
  const [one, other] = [tasksOf(before), tasksOf(after)];
  if (one.size < 2) return [metric.compute(before), metric.compute(after)];
  const both = [...one]
    .map(([task, runs]) => [metric.compute(runs), metric.compute(other.get(task) ?? [])] as const)
    .filter(([first, second]) => first.measured && second.measured);
  if (both.length === 0) return [metric.compute(before), unmeasured('no task was measured on both sides')];
  const meanOf = (side: 0 | 1) => {
    const measured = both.flatMap((pair) => (pair[side].measured ? [pair[side]] : []));
    const n = measured.reduce((sum, each) => sum + each.n, 0);
    return estimate(mean(measured.map(({ value }) => value)) as number, n);
  };
  return [meanOf(0), meanOf(1)];
}
