import type { Metric } from '../../measure/metric.ts';
import { meanOverCases } from '../../measure/over-cases.ts';
import { categoryOf } from '../category-of.ts';
import { EXAMPLE_SESSION } from '../example-session.ts';
import type { MeasuredSession } from '../session-score.ts';

export const completion: Metric<MeasuredSession> = {
  id: 'session/completion',
  title: 'Completion',
  question: 'Did the sessions do what they set out to do?',
  formula: 'mean of: ended normally, substantive output, user corrections (those that could be measured)',
  unit: 'score',
  range: [0, 1],
  better: 'higher',
  example: {
    given: 'ended normally 1, substantive output 1, corrected once 0.5: 2.5 / 3',
    cases: [EXAMPLE_SESSION],
    value: 0.8333,
  },
  compute: (cases) => meanOverCases(cases, (one) => categoryOf(one, 'completion')),
};
