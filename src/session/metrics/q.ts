import type { Metric } from '../../measure/metric.ts';
import { EXAMPLE_CASE } from '../example-session.ts';
import { type MeasuredSession, meanQ } from '../measured-session.ts';

export const q: Metric<MeasuredSession> = {
  id: 'session/q',
  title: 'Session quality (Q)',
  question: 'How well did the sessions go, in one number?',
  formula:
    'w₁ × completion + w₂ × execution + w₃ × efficiency + w₄ × outcome, with the weights of the task type; fixed for idle and empty runs',
  unit: 'score',
  range: [0, 1],
  better: 'higher',
  zones: { fail: 0.4, target: 0.75, excellent: 0.9 },
  example: {
    given:
      'a coding session with completion 0.8333, execution 0.75, efficiency 0.90, outcome 0.85: 0.15 × 0.8333 + 0.20 × 0.75 + 0.15 × 0.90 + 0.50 × 0.85',
    cases: [EXAMPLE_CASE],
    value: 0.835,
  },
  compute: meanQ,
};
