import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { mean, sampleSd } from '../stats/descriptive.ts';
import { meanOverRepetitions } from './mean-over-runs.ts';
import type { ReviewMetric } from './metric.ts';

/** Required by the protocol. */
export const RUNS_FOR_STABILITY = 3;

/** 1 − SD / mean with the sample SD, at least 0. */
export function stabilityOf(values: readonly number[]): Measurement {
  const n = values.length;
  if (n < RUNS_FOR_STABILITY)
    return unmeasured(`needs ${RUNS_FOR_STABILITY} runs, there ${n === 1 ? 'is' : 'are'} ${n}`);
  const [centre, sd] = [mean(values) as number, sampleSd(values) as number];
  if (centre === 0) return unmeasured('the mean over the runs is 0');
  return estimate(Math.max(0, 1 - sd / centre), n);
}

/** Run stability of a metric: how little it moves when the same workflow reviews the same task again. */
export function stability(
  of: ReviewMetric,
  declared: Pick<ReviewMetric, 'id' | 'file' | 'title' | 'aside' | 'example'>,
): ReviewMetric {
  return {
    ...declared,
    needs: 'all runs',
    question: `How far can one run be trusted: does ${of.title.toLowerCase()} stay the same when the review is repeated?`,
    formula: `1 − SD / mean of ${of.title.toLowerCase()} over at least ${RUNS_FOR_STABILITY} runs (sample SD, n − 1), not below 0; wide at few runs, and blind to which errors were found`,
    unit: 'score',
    range: [0, 1],
    better: 'higher',
    zones: { fail: 0.6, target: 0.8, excellent: 0.8 },
    pastLine: true,
    compute: (runs) =>
      meanOverRepetitions(runs, (repeated) => {
        const values = repeated.flatMap((run) => {
          const one = of.compute([run]);
          return one.measured ? [one.value] : [];
        });
        return stabilityOf(values);
      }),
  };
}
