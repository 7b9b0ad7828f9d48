import type { Metric } from '../../measure/metric.ts';
import { feedbackScore } from '../production/figures.ts';
import type { Watched } from '../production/watched.ts';

const said = (id: string, ...scores: number[]): Watched => ({ id, probability: 1, scores });

export const userFeedbackScore: Metric<Watched> = {
  id: 'decomposition/user-feedback-score',
  title: 'User feedback score',
  question: 'How do users rate the outputs?',
  formula: 'mean over outputs of the mean of their stars; a thumb up is 5, one down is 1',
  unit: 'count',
  range: [1, 5],
  better: 'higher',
  zones: { fail: 1, target: 4, excellent: 5 },
  example: {
    given: 'one output with a thumb up and one down, one with five stars, one with four',
    cases: [said('a', 5, 1), said('b', 5), said('c', 4)],
    value: 4,
  },
  compute: feedbackScore,
};
