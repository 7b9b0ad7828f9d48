import { estimate, unmeasured } from '../../measure/metric.ts';
import { TWO_RUNS } from '../example-runs.ts';
import { findingsAcross } from '../findings-across.ts';
import { meanOverRepetitions } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const findingConsistency: ReviewMetric = {
  id: 'workflow/fc',
  file: 'finding-consistency',
  label: 'FC',
  title: 'Finding consistency',
  needs: 'all runs',
  question: 'Does the review find the same things when it is repeated?',
  formula:
    'confirmed findings in all runs / confirmed findings in any run × 100; the same finding matches the same error, or has the same place and text',
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
      const across = findingsAcross(repeated);
      if (across.length === 0) return unmeasured('no finding was confirmed in any run');
      const consistent = across.filter(({ runs: count }) => count === repeated.length).length;
      return estimate((100 * consistent) / across.length, repeated.length);
    }),
};
