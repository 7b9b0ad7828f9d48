import type { Metric } from '../../measure/metric.ts';
import { ratedAcceptable } from '../production/figures.ts';
import type { Watched } from '../production/watched.ts';

const rated = (id: string, acceptable: boolean, probability: number): Watched => ({
  id,
  rated: { raters: [acceptable ? 1 : 0], acceptable: acceptable ? 1 : 0 },
  probability,
});

export const humanRatedAccuracy: Metric<Watched> = {
  id: 'decomposition/human-rated-accuracy',
  title: 'Human-rated accuracy',
  question: 'How many outputs in production would an expert accept?',
  formula:
    'Σ 1/p over rated outputs that are acceptable / Σ 1/p over rated outputs, p how likely each was to be drawn',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  zones: { fail: 0, target: 0.8, excellent: 1 },
  example: {
    given:
      'two of three frequent ones drawn with 5% are acceptable, and one of a rare kind drawn with 20%: (40 + 5) / (60 + 5)',
    cases: [rated('a', true, 0.05), rated('b', true, 0.05), rated('c', false, 0.05), rated('d', true, 0.2)],
    value: 0.692,
  },
  compute: ratedAcceptable,
};
