import { countsOf } from '../counts.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { shareMetric } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const precisionGrounded: ReviewMetric = shareMetric({
  id: 'workflow/precision-grounded',
  title: 'Grounded precision',
  aside: true,
  question: 'How many of the findings are right, without those that only an opinion confirms?',
  formula: '(matched + partial) / (matched + partial + false + unresolved)',
  scale: 1,
  example: {
    given: '4 findings match an error, 2 are false, 3 unresolved, and 2 confirmed ones are excluded: 4 / 9',
    cases: [evidenceWith({ errors: SIX_ERRORS, others: { BONUS_VALID: 2, FALSE: 2, UNRESOLVED: 3 } })],
    value: 0.444,
  },
  part: (run) => {
    const { matched, partial, false: wrong, unresolved } = countsOf(run);
    return { count: matched + partial, of: matched + partial + wrong + unresolved };
  },
  whenEmpty: 'there are no findings without a bonus',
});
