import { detectedCategories } from '../counts.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { shareMetric } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const categoryCoveragePresent: ReviewMetric = shareMetric({
  id: 'workflow/cc-present',
  file: 'category-coverage-present',
  title: 'Coverage of the categories present',
  aside: true,
  question: 'In how many of the kinds of error that there were to find does the review find anything?',
  formula: 'categories with a detected error / categories with an expected error × 100',
  scale: 100,
  example: {
    given: 'errors expected in SECURE, EDGE, SCOPE, ASSUME and SKIP; found in SECURE, SCOPE and SKIP: 3 / 5',
    cases: [evidenceWith({ errors: SIX_ERRORS })],
    value: 60,
  },
  part: (run) => {
    const { detected, present } = detectedCategories(run);
    return { count: detected, of: present };
  },
  whenEmpty: 'the ground truth expects no errors',
});
