import type { Metric } from '../../measure/metric.ts';
import { mean } from '../../stats/mean.ts';
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
