import { estimate, unmeasured } from '../../measure/metric.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { cellOfRuns, f1Of } from '../leaderboard.ts';
import { meanOverRuns } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const f1: ReviewMetric = {
  id: 'workflow/f1',
  label: 'F1',
  title: 'F1',
  aside: true,
  question: 'Does the review find the errors without crying wolf?',
  formula:
    '2 × DR × P / (DR + P), with the detection rate as a share; 0 for a review that reports nothing although there are errors',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  example: {
    given: '3.5 of 6 errors found (0.583), 4 of 6 findings right (0.667)',
    cases: [evidenceWith({ errors: SIX_ERRORS, others: { FALSE: 2 } })],
    value: 0.622,
  },
  compute: (runs) =>
    meanOverRuns(runs, [0, 1], (run) => {
      const value = f1Of(cellOfRuns([run]));
      return value === undefined
        ? unmeasured('the ground truth expects no errors')
        : estimate(value, run.errors.length);
    }),
};
