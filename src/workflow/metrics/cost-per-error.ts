import { estimate, unmeasured } from '../../measure/metric.ts';
import { detectedErrors } from '../detected-errors.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { meanOverRuns } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const costPerError: ReviewMetric = {
  id: 'workflow/cost-per-error',
  title: 'Cost per error found',
  aside: true,
  question: 'What does one found error cost?',
  formula: 'cost of the run / credit of the known errors that it finds',
  unit: 'usd',
  range: [0, Number.POSITIVE_INFINITY],
  better: 'lower',
  example: {
    given: 'a run of $0.70 that finds 3.5 errors',
    cases: [evidenceWith({ errors: SIX_ERRORS, costUsd: 0.7 })],
    value: 0.2,
  },
  compute: (runs) =>
    meanOverRuns(runs, [0, Number.POSITIVE_INFINITY], (run) => {
      const { count } = detectedErrors(run);
      if (run.costUsd === undefined) return unmeasured('the run has no cost');
      return count === 0
        ? unmeasured('it found no known error')
        : estimate(run.costUsd / count, run.errors.length);
    }),
};
