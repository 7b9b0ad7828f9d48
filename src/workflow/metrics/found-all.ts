import { shareFound } from '../counts.ts';
import { TWO_RUNS } from '../example-evidence.ts';
import { meanOverRepetitions } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const foundAll: ReviewMetric = {
  id: 'workflow/found-all',
  title: 'Found in all runs',
  needs: 'all runs',
  aside: true,
  question: 'What does the review find every time?',
  formula: 'expected errors found, in full or in part, in every run / expected errors × 100',
  unit: 'percent',
  range: [0, 100],
  better: 'higher',
  example: {
    given: '1 of 4 errors found in both runs',
    cases: TWO_RUNS,
    value: 25,
  },
  compute: (runs) => meanOverRepetitions(runs, (repeated) => shareFound(repeated, (found, n) => found === n)),
};
