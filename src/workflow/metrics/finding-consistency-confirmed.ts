import { unmeasured } from '../../measure/metric.ts';
import { findingsAcross } from '../counts.ts';
import { TWO_RUNS } from '../example-evidence.ts';
import { meanOverRepetitions } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';
import { consistencyOf } from './finding-consistency.ts';

export const findingConsistencyConfirmed: ReviewMetric = {
  id: 'workflow/fc-confirmed',
  file: 'finding-consistency-confirmed',
  label: 'FC confirmed',
  needs: 'all runs',
  title: 'Finding consistency, confirmed',
  question: 'Does the review find the same right things when it is repeated?',
  formula: 'confirmed findings in all runs / confirmed findings in any run × 100',
  unit: 'percent',
  range: [0, 100],
  better: 'higher',
  example: {
    given: 'one error found in both runs, two more in one of them: 1 / 3',
    cases: TWO_RUNS,
    value: 33.3,
  },
  compute: (runs) =>
    meanOverRepetitions(runs, (repeated) => {
      if (repeated.length < 2) return unmeasured('needs at least two runs');
      return consistencyOf(findingsAcross(repeated), repeated.length, 'no finding was confirmed in any run');
    }),
};
