import { THREE_RUNS } from '../example-evidence.ts';
import type { ReviewMetric } from '../metric.ts';
import { stability } from '../stability.ts';
import { precision } from './precision.ts';

export const stabilityOfPrecision: ReviewMetric = stability(precision, {
  id: 'workflow/rs-precision',
  file: 'run-stability-of-precision',
  title: 'Run stability of precision',
  aside: true,
  example: {
    given: 'precision 1, 0.75 and 0.5 in three runs: 1 − 0.25 / 0.75',
    cases: THREE_RUNS,
    value: 0.667,
  },
});
