import { THREE_RUNS } from '../example-evidence.ts';
import type { ReviewMetric } from '../metric.ts';
import { stability } from '../stability.ts';
import { depthQuality } from './depth-quality.ts';

export const stabilityOfDepthQuality: ReviewMetric = stability(depthQuality, {
  id: 'workflow/rs-dq',
  file: 'run-stability-of-depth-quality',
  title: 'Run stability of depth quality',
  aside: true,
  example: {
    given: 'depth quality 5, 4 and 3 in three runs: 1 − 1 / 4',
    cases: THREE_RUNS,
    value: 0.75,
  },
});
