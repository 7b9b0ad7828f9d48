import { THREE_RUNS } from '../example-evidence.ts';
import type { ReviewMetric } from '../metric.ts';
import { stability } from '../stability.ts';
import { detectionRate } from './detection-rate.ts';

export const stabilityOfDetectionRate: ReviewMetric = stability(detectionRate, {
  id: 'workflow/rs-dr',
  file: 'run-stability-of-detection-rate',
  title: 'Run stability of the detection rate',
  aside: true,
  example: {
    given: 'detection rates 75, 62.5 and 50 in three runs: 1 − 12.5 / 62.5',
    cases: THREE_RUNS,
    value: 0.8,
  },
});
