import type { Metric } from '../../measure/metric.ts';
import type { CaseEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { f1OverTrials } from '../over-trials.ts';
import { correctConcepts } from './concept-precision.ts';
import { foundConcepts } from './concept-recall.ts';

export const conceptF1: Metric<CaseEvidence> = {
  id: 'decomposition/concept-f1',
  title: 'Concept F1',
  question: 'How good is the extraction of concepts, completeness and correctness together?',
  formula: '2 × precision × recall / (precision + recall)',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  example: {
    given: 'precision 16/20 = 0.80 and recall 18/25 = 0.72',
    cases: [evidenceWith({ extracted: 20, correct: 16, expected: 25, found: 18 })],
    value: 0.758,
  },
  compute: (cases) =>
    f1OverTrials(
      cases,
      { share: correctConcepts, whenEmpty: 'no concepts were extracted' },
      { share: foundConcepts, whenEmpty: 'the golden case expects no concepts' },
    ),
};
