import type { Metric } from '../../measure/metric.ts';
import type { CaseEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { f1OverTrials } from '../over-trials.ts';
import { correctRelationships } from './relationship-accuracy.ts';
import { foundRelationships } from './relationship-recall.ts';

export const relationshipF1: Metric<CaseEvidence> = {
  id: 'decomposition/relationship-f1',
  title: 'Relationship F1',
  question: 'How good is the extraction of relationships, completeness and correctness together?',
  formula: '2 × accuracy × recall / (accuracy + recall), of relationships',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  example: {
    given: 'accuracy 28/40 = 0.70 and recall 28/35 = 0.80',
    cases: [evidenceWith({ relationships: 40, correctRelationships: 28, expectedRelationships: 35 })],
    value: 0.747,
  },
  compute: (cases) =>
    f1OverTrials(
      cases,
      { share: correctRelationships, whenEmpty: 'no relationships were extracted' },
      { share: foundRelationships, whenEmpty: 'the golden case expects no relationships' },
    ),
};
