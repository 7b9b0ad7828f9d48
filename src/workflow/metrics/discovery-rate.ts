import { countsOf } from '../counts.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { shareMetric } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const discoveryRate: ReviewMetric = shareMetric({
  id: 'workflow/dis',
  file: 'discovery-rate',
  label: 'DIS',
  title: 'Discovery rate',
  question: 'How much of what the review found was not in the ground truth?',
  formula: 'bonus / (matched + partial + bonus) × 100; a high rate means that the ground truth is incomplete',
  scale: 100,
  example: {
    given: '4 findings match an error, 1 more is confirmed: 1 / 5',
    cases: [evidenceWith({ errors: SIX_ERRORS, others: { BONUS_VALID: 1 } })],
    value: 20,
  },
  part: (run) => {
    const { matched, partial, bonus } = countsOf(run);
    return { count: bonus, of: matched + partial + bonus };
  },
  whenEmpty: 'no finding was confirmed',
});
