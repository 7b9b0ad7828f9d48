import type { Metric } from '../../measure/metric.ts';
import type { CaseEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';
import { foundRelationships } from './relationship-recall.ts';

export const requiredRelationshipRecall: Metric<CaseEvidence> = {
  id: 'decomposition/required-relationship-recall',
  title: 'Recall of required relationships',
  question: 'How many of the relationships that must be found were found?',
  formula: 'required relationships found / required relationships',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  example: {
    given: '35 relationships expected, all of them required; 28 found',
    cases: [evidenceWith({ relationships: 40, correctRelationships: 28, expectedRelationships: 35 })],
    value: 0.8,
  },
  compute: (cases) =>
    shareOverTrials(
      cases,
      ({ expectedRelationships }) =>
        foundRelationships({
          expectedRelationships: expectedRelationships.filter(({ required }) => required),
        }),
      'the golden case requires no relationships',
    ),
};
