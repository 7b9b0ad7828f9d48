import type { Metric } from '../../measure/metric.ts';
import { detectedCategories } from '../detected-categories.ts';
import type { RunEvidence } from '../evidence.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { shareOverRuns } from '../over-runs.ts';

export const cc: Metric<RunEvidence> = {
  id: 'workflow/cc',
  title: 'Category coverage',
  question: 'In how many kinds of error does the review find anything?',
  formula:
    'categories with a detected error / all categories × 100 (ten, unless the ground truth declares others)',
  unit: 'percent',
  range: [0, 100],
  better: 'higher',
  example: {
    given: 'errors found in SECURE, SCOPE and SKIP: 3 / 10',
    cases: [evidenceWith({ errors: SIX_ERRORS })],
    value: 30,
  },
  compute: (runs) =>
    shareOverRuns(
      runs,
      100,
      (run) => ({
        count: detectedCategories(run).detected,
        of: run.errors.length === 0 ? 0 : run.categories.length,
      }),
      'the ground truth expects no errors',
    ),
};
