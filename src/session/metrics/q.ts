import { estimate, type Measurement, type Metric, unmeasured } from '../../measure/metric.ts';
import { meanOverCases } from '../../measure/over-cases.ts';
import { EXAMPLE_SESSION } from '../example-session.ts';
import type { MeasuredSession } from '../measured-session.ts';

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
    cases: [EXAMPLE_SESSION],
    value: 0.835,
  },
  compute: meanQ,
};

/** Every session counts the same. */
export function meanQ(sessions: readonly Pick<MeasuredSession, 'q'>[]): Measurement {
  return meanOverCases(sessions, ({ q }) =>
    q === undefined ? unmeasured('no run of the session could be scored') : estimate(q, 1),
  );
}
