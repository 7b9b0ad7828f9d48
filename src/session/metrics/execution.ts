import type { Metric } from '../../measure/metric.ts';
import { EXAMPLE_CASE } from '../example-session.ts';
import { type MeasuredSession, meanOfCategory } from '../measured-session.ts';

export const execution: Metric<MeasuredSession> = {
  id: 'session/execution',
  title: 'Execution',
  question: 'How cleanly did the agents work?',
  formula:
    '0.5 × tool success rate + 0.25 × first-attempt success + 0.15 × error recovery + 0.1 × sub-agent success',
  unit: 'score',
  range: [0, 1],
  better: 'higher',
  example: {
    given:
      '8 of 10 calls succeeded, 7 at the first attempt, one error loop recovered, no sub-agents: 0.5 × 0.8 + 0.25 × 0.7 + 0.15 × 0.5 + 0.1 × 1',
    cases: [EXAMPLE_CASE],
    value: 0.75,
  },
  compute: (cases) => meanOfCategory(cases, 'execution'),
};
