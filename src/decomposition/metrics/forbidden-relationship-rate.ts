import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const forbiddenRelationshipRate: Metric<CaseEvidence> = {
  id: 'decomposition/forbidden-relationship-rate',
  title: 'Forbidden relationships',
  question: 'How many of the extracted relationships are forbidden for the text?',
  formula: 'forbidden relationships extracted / extracted relationships',
  unit: 'ratio',
  range: [0, 1],
  better: 'lower',
  example: {
    given: '40 relationships extracted, 1 of them forbidden',
    cases: [evidenceWith({ relationships: 40, forbiddenRelationships: 1 })],
    value: 0.025,
  },
  compute: (cases) => shareOverTrials(cases, forbiddenRelationships, 'no relationships were extracted'),
};

function forbiddenRelationships({ relationships }: TrialEvidence): Share {
  return { count: relationships.filter((one) => one.forbidden).length, of: relationships.length };
}
