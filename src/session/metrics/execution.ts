import type { Metric } from '../../measure/metric.ts';
import { meanOverCases } from '../../measure/over-cases.ts';
import { categoryOf } from '../category-of.ts';
import { EXAMPLE_SESSION } from '../example-session.ts';
import type { MeasuredSession } from '../session-score.ts';

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
    cases: [EXAMPLE_SESSION],
    value: 0.75,
  },
  compute: (cases) => meanOverCases(cases, (one) => categoryOf(one, 'execution')),
};
