import { detectedErrors } from '../detected-errors.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { shareMetric } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const detectionRate: ReviewMetric = shareMetric({
  id: 'workflow/dr',
  file: 'detection-rate',
  label: 'DR',
  title: 'Detection rate',
  question: 'How many of the known errors does the review find?',
  formula: '(full matches + 0.5 × partial matches) / expected errors × 100',
  scale: 100,
  zones: { fail: 40, target: 60, excellent: 80 },
  pastLine: true,
  example: {
    given: '6 expected errors, 3 found in full and 1 in part: 3.5 / 6',
    cases: [evidenceWith({ errors: SIX_ERRORS })],
    value: 58.3,
  },
  part: (run) => detectedErrors(run),
  whenEmpty: 'the ground truth expects no errors',
});
