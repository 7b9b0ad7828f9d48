import { detectedCategories } from '../counts.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { shareMetric } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const categoryCoverage: ReviewMetric = shareMetric({
  id: 'workflow/cc',
  file: 'category-coverage',
  label: 'CC',
  title: 'Category coverage',
  question: 'In how many kinds of error does the review find anything?',
  formula:
    'categories with a detected error / all categories × 100 (ten, unless the ground truth declares others)',
  scale: 100,
  example: {
    given: 'errors found in SECURE, SCOPE and SKIP: 3 / 10',
    cases: [evidenceWith({ errors: SIX_ERRORS })],
    value: 30,
  },
  part: (run) => ({
    count: detectedCategories(run).detected,
    of: run.errors.length === 0 ? 0 : run.categories.length,
  }),
  whenEmpty: 'the ground truth expects no errors',
});
