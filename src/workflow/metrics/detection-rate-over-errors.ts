import { estimate, unmeasured } from '../../measure/metric.ts';
import { mean } from '../../stats/descriptive.ts';
import { shareInterval } from '../../stats/intervals.ts';
import type { RunEvidence } from '../evidence.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import type { ReviewMetric } from '../metric.ts';
import { clusterErrors, type Placed } from '../same-tasks.ts';

export const detectionRateOverErrors: ReviewMetric = {
  id: 'workflow/dr-over-errors',
  file: 'detection-rate-over-errors',
  label: 'DR over errors',
  title: 'Detection rate over errors',
  needs: 'all runs',
  question: 'What would the review find of other errors like these?',
  formula:
    'the mean over errors of their mean credit over the runs × 100; the interval is over errors (by task or document where there are several) and covers their choice as well as the noise of runs',
  unit: 'percent',
  range: [0, 100],
  better: 'higher',
  example: {
    given: '6 expected errors, 3 found in full and 1 in part: 3.5 / 6',
    cases: [evidenceWith({ errors: SIX_ERRORS })],
    value: 58.3,
  },
  compute: (runs) => {
    const errors = creditOf(runs);
    const value = mean(errors.map(({ credit }) => credit));
    if (value === undefined)
      return unmeasured(runs.length === 0 ? 'no runs' : 'the ground truth expects no errors');
    const { clusters } = clusterErrors(errors);
    const repeats = Math.min(...errors.map(({ repeats: times }) => times));
    const interval = shareInterval(
      errors.map(({ credit }) => credit),
      { clusters, repeats },
    );
    return estimate(
      100 * value,
      errors.length,
      interval && { low: 100 * interval.low, high: 100 * interval.high },
    );
  },
};

/** Each known error of each task with its mean credit over the runs, in a stable order. */
function creditOf(runs: readonly RunEvidence[]) {
  const known = new Map<string, Placed & { credits: number[] }>();
  for (const { task, workflow, errors } of runs) {
    for (const { id, document, likeness, credit } of errors) {
      const key = JSON.stringify([task, workflow, id]);
      const one = known.get(key) ?? { task, document, likeness, credits: [] };
      one.credits.push(credit);
      known.set(key, one);
    }
  }
  return [...known]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { credits, ...place }]) => ({
      ...place,
      // Sorted, so that the sum does not depend on the order of the runs.
      credit: mean(credits.sort((a, b) => a - b)) as number,
      repeats: credits.length,
    }));
}
