import type { Metric } from '../../measure/metric.ts';
import { EXAMPLE_CASE } from '../example-session.ts';
import { type MeasuredSession, meanOfCategory } from '../measured-session.ts';

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
    cases: [EXAMPLE_CASE],
    value: 0.85,
  },
  compute: (cases) => meanOfCategory(cases, 'outcome'),
};
