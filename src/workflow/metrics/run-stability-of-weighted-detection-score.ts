import { THREE_RUNS } from '../example-evidence.ts';
import type { ReviewMetric } from '../metric.ts';
import { stability } from '../stability.ts';
import { weightedDetectionScore } from './weighted-detection-score.ts';

export const stabilityOfWeightedDetectionScore: ReviewMetric = stability(weightedDetectionScore, {
  id: 'workflow/rs-wds',
  file: 'run-stability-of-weighted-detection-score',
  title: 'Run stability of the weighted detection score',
  aside: true,
  example: {
    given: 'weighted detection scores 75, 68.75 and 62.5 in three runs: 1 − 6.25 / 68.75',
    cases: THREE_RUNS,
    value: 0.909,
  },
});
