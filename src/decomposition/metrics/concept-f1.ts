import { estimate, type Measurement, type Metric } from '../../measure/metric.ts';
import { meanOverCases, shareOf } from '../../measure/over-cases.ts';
import { type CaseEvidence, evidenceWith } from '../evidence.ts';
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
  compute: (cases) => meanOverCases(cases, f1OfCase),
};

function f1OfCase(evidence: CaseEvidence): Measurement {
  const precision = shareOf(correctConcepts(evidence), 'no concepts were extracted');
  const recall = shareOf(foundConcepts(evidence), 'the golden case expects no concepts');
  if (!precision.measured) return precision;
  if (!recall.measured) return recall;
  const sum = precision.value + recall.value;
  // Nothing right and nothing found is a measured failure: the harmonic mean tends to 0, and so does the value.
  const value = sum === 0 ? 0 : (2 * precision.value * recall.value) / sum;
  return estimate(value, evidence.expected.length);
}
