import { estimate, unmeasured } from '../../measure/metric.ts';
import { detectedErrors } from '../detected-errors.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { meanOverRuns } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const timePerError: ReviewMetric = {
  id: 'workflow/time-per-error',
  title: 'Time per error found',
  aside: true,
  question: 'How long does one found error take?',
  formula: 'duration of the run / credit of the known errors that it finds',
  unit: 'ms',
  range: [0, Number.POSITIVE_INFINITY],
  better: 'lower',
  example: {
    given: 'a run of 70 s that finds 3.5 errors',
    cases: [evidenceWith({ errors: SIX_ERRORS, durationMs: 70_000 })],
    value: 20000,
  },
  compute: (runs) =>
    meanOverRuns(runs, [0, Number.POSITIVE_INFINITY], (run) => {
      const { count } = detectedErrors(run);
      if (run.durationMs === undefined) return unmeasured('the run has no duration');
      return count === 0
        ? unmeasured('it found no known error')
        : estimate(run.durationMs / count, run.errors.length);
    }),
};
