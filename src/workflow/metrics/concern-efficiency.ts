import { CONCERNS_EXAMPLE, concernEfficiency } from '../concerns.ts';
import { meanOverRuns } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const concernEfficiencyOfAll: ReviewMetric = {
  id: 'workflow/ce',
  file: 'concern-efficiency',
  label: 'CE',
  title: 'Concern efficiency',
  aside: true,
  question: 'What is one method worth, over all concerns of the review?',
  formula: 'mean over concerns of points found from the concern / methods used for it',
  unit: 'count',
  range: [0, Number.POSITIVE_INFINITY],
  better: 'higher',
  example: {
    given: 'A1 3 points / 2 methods, A2 2 / 1, B1 2 / 4, C1 0 / 1: (1.5 + 2 + 0.5 + 0) / 4',
    cases: [CONCERNS_EXAMPLE],
    value: 1,
  },
  compute: (runs) => meanOverRuns(runs, [0, Number.POSITIVE_INFINITY], (run) => concernEfficiency(run)),
};
