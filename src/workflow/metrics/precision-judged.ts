import { countsOf } from '../counts.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { shareMetric } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const precisionJudged: ReviewMetric = shareMetric({
  id: 'workflow/precision-judged',
  title: 'Precision of judged findings',
  aside: true,
  question: 'How many of the judged findings are right?',
  formula:
    '(matched + partial + bonus) / (matched + partial + bonus + false); unresolved findings are excluded',
  scale: 1,
  example: {
    given: '4 findings match an error, 2 more are confirmed, 2 are false, 3 unresolved: 6 / 8',
    cases: [evidenceWith({ errors: SIX_ERRORS, others: { BONUS_VALID: 2, FALSE: 2, UNRESOLVED: 3 } })],
    value: 0.75,
  },
  part: (run) => {
    const { matched, partial, bonus, false: wrong } = countsOf(run);
    const right = matched + partial + bonus;
    return { count: right, of: right + wrong };
  },
  whenEmpty: 'no finding was judged right or wrong',
});
