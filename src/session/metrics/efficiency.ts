import type { Metric } from '../../measure/metric.ts';
import { EXAMPLE_CASE } from '../example-session.ts';
import { type MeasuredSession, meanOfCategory } from '../measured-session.ts';

export const efficiency: Metric<MeasuredSession> = {
  id: 'session/efficiency',
  title: 'Efficiency',
  question: 'Was the effort in proportion to the task?',
  formula:
    'mean of: token efficiency, turn efficiency, compactions, model appropriateness (those that could be measured)',
  unit: 'score',
  range: [0, 1],
  better: 'higher',
  example: {
    given: 'one turn 1, one compaction 0.8, tokens and model unknown: 1.8 / 2',
    cases: [EXAMPLE_CASE],
    value: 0.9,
  },
  compute: (cases) => meanOfCategory(cases, 'efficiency'),
};
