import type { Metric } from '../../measure/metric.ts';
import { quotesVerified } from '../production/figures.ts';
import type { Watched } from '../production/watched.ts';

const quoting = (id: string, given: number, verified: number, probability: number): Watched => ({
  id,
  probability,
  quotes: { given, verified },
});

export const provenanceVerification: Metric<Watched> = {
  id: 'decomposition/provenance-verification',
  title: 'Provenance verification',
  question: 'How many quotes in production stand in the text, where it speaks of what they are quoted for?',
  formula: 'Σ verified quotes/p over sampled outputs / Σ quotes/p, p how likely each was to be drawn',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  zones: { fail: 0, target: 0.95, excellent: 1 },
  example: {
    given:
      '19 of 20 quotes of an output drawn with 5% stand in the text, 8 of 10 of one drawn with 10%: (380 + 80) / (400 + 100)',
    cases: [quoting('a', 20, 19, 0.05), quoting('b', 10, 8, 0.1)],
    value: 0.92,
  },
  compute: quotesVerified,
};
