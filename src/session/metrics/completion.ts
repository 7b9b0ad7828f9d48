import type { Metric } from '../../measure/metric.ts';
import { EXAMPLE_CASE } from '../example-session.ts';
import { type MeasuredSession, meanOfCategory } from '../measured-session.ts';

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
    cases: [EXAMPLE_CASE],
    value: 0.8333,
  },
  compute: (cases) => meanOfCategory(cases, 'completion'),
};
