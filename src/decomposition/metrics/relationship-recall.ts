import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const relationshipRecall: Metric<CaseEvidence> = {
  id: 'decomposition/relationship-recall',
  title: 'Relationship recall',
  question: 'How many of the expected relationships were found?',
  formula: 'expected relationships found / expected relationships; each is found once or not at all',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  // A warning line without a fail line; the configuration may set one.
  zones: { fail: 0, target: 0.5, excellent: 0.75 },
  example: {
    given: '35 relationships expected, 28 of them found',
    cases: [evidenceWith({ relationships: 40, correctRelationships: 28, expectedRelationships: 35 })],
    value: 0.8,
  },
  compute: (cases) => shareOverTrials(cases, foundRelationships, 'the golden case expects no relationships'),
};

export function foundRelationships({
  expectedRelationships,
}: Pick<TrialEvidence, 'expectedRelationships'>): Share {
  return {
    count: expectedRelationships.filter((one) => one.found !== undefined).length,
    of: expectedRelationships.length,
  };
}
