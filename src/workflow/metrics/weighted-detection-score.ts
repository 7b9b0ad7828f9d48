import { detectionPoints } from '../counts.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { shareMetric } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const weightedDetectionScore: ReviewMetric = shareMetric({
  id: 'workflow/wds',
  file: 'weighted-detection-score',
  label: 'WDS',
  title: 'Weighted detection score',
  question: 'How much of what matters does the review find?',
  formula:
    'Σ credit × weight / Σ weight × 100; weights: critical 3, important 2, minor 1; credit 1 in full, 0.5 in part',
  scale: 100,
  example: {
    given: '13 points to find; 1 critical (3), 2 important (4) and half a minor one (0.5) found: 7.5 / 13',
    cases: [evidenceWith({ errors: SIX_ERRORS })],
    value: 57.7,
  },
  part: (run) => {
    const { earned, most } = detectionPoints(run);
    return { count: earned, of: most };
  },
  whenEmpty: 'the ground truth expects no errors',
});
