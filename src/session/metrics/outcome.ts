import type { Metric } from '../../measure/metric.ts';
import { meanOverCases } from '../../measure/over-cases.ts';
import { categoryOf } from '../category-of.ts';
import { EXAMPLE_SESSION } from '../example-session.ts';
import type { MeasuredSession } from '../session-score.ts';

export const outcome: Metric<MeasuredSession> = {
  id: 'session/outcome',
  title: 'Outcome',
  question: 'Did the work leave something behind that holds?',
  formula: '0.3 × artifact produced + 0.4 × state changed + 0.3 × downstream acceptance',
  unit: 'score',
  range: [0, 1],
  better: 'higher',
  example: {
    given: 'a file written 1, its state holds 1, accepted in part 0.5: 0.3 + 0.4 + 0.3 × 0.5',
    cases: [EXAMPLE_SESSION],
    value: 0.85,
  },
  compute: (cases) => meanOverCases(cases, (one) => categoryOf(one, 'outcome')),
};
