import { estimate, type Measurement, type Metric, unmeasured } from '../../measure/metric.ts';
import { mean } from '../../stats/descriptive.ts';
import type { RunEvidence } from '../evidence.ts';

/**
 * One score per run. Over several tasks a score is that of a round: the first run of every task, the second, and so on,
 * as many rounds as every task has runs. Undefined when a run of a round could not be measured: a round without one of
 * its tasks would be another exam.
 */
export function runScores(runs: readonly RunEvidence[], metric: Metric<RunEvidence>): number[] | undefined {
  const tasks = [...Map.groupBy(runs, ({ task }) => task)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, all]) => all.toSorted((a, b) => a.run.localeCompare(b.run, 'en', { numeric: true })));
  const rounds = Math.min(...tasks.map((all) => all.length));
  if (tasks.length === 0) return undefined;
  const scores: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const values = tasks.map((all) => metric.compute([all[round] as RunEvidence]));
    const measured = values.flatMap((one) => (one.measured ? [one.value] : []));
    if (measured.length < values.length) return undefined;
    scores.push(mean(measured) as number);
  }
  return scores;
}

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
