import { shareFound } from '../counts.ts';
import { TWO_RUNS } from '../example-evidence.ts';
import { meanOverRepetitions } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const foundAny: ReviewMetric = {
  id: 'workflow/found-any',
  title: 'Found in any run',
  needs: 'all runs',
  aside: true,
  question: 'What could the review find at best, if it were repeated?',
  formula: 'expected errors found, in full or in part, in at least one run / expected errors × 100',
  unit: 'percent',
  range: [0, 100],
  better: 'higher',
  example: {
    given: '3 of 4 errors found in one of two runs or in both',
    cases: TWO_RUNS,
    value: 75,
  },
  compute: (runs) => meanOverRepetitions(runs, (repeated) => shareFound(repeated, (found) => found > 0)),
};
