import { countsOf } from '../counts.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { shareMetric } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const precision: ReviewMetric = shareMetric({
  id: 'workflow/precision',
  label: 'P',
  title: 'Precision',
  question: 'How many of the findings are right?',
  formula:
    '(matched + partial + bonus) / (matched + partial + bonus + false + unresolved); duplicates of a credited finding are excluded but shown',
  scale: 1,
  zones: { fail: 0.7, target: 0.7, excellent: 0.9 },
  pastLine: true,
  example: {
    given: '4 findings match an error, 2 more are confirmed, 2 are false, 3 unresolved: 6 / 11',
    cases: [evidenceWith({ errors: SIX_ERRORS, others: { BONUS_VALID: 2, FALSE: 2, UNRESOLVED: 3 } })],
    value: 0.545,
  },
  part: (run) => {
    const { matched, partial, bonus, false: wrong, unresolved } = countsOf(run);
    const right = matched + partial + bonus;
    return { count: right, of: right + wrong + unresolved };
  },
  whenEmpty: 'there are no findings',
});
