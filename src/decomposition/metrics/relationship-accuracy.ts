import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const relationshipAccuracy: Metric<CaseEvidence> = {
  id: 'decomposition/relationship-accuracy',
  title: 'Relationship accuracy',
  question: 'How many of the extracted relationships are right?',
  formula:
    'relationships with the right source, target and predicate / extracted relationships, each counted once; 0 when none were extracted although some are expected',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  zones: { fail: 0.4, target: 0.6, excellent: 0.75 },
  example: {
    given: '40 relationships extracted, 28 of them match',
    cases: [evidenceWith({ relationships: 40, correctRelationships: 28 })],
    value: 0.7,
  },
  compute: (cases) => shareOverTrials(cases, correctRelationships, 'no relationships were extracted'),
};

/** Repeats count once. None at all, although some are expected, is a failure. */
export function correctRelationships({
  relationships,
  expectedRelationships,
}: Pick<TrialEvidence, 'relationships' | 'expectedRelationships'>): Share {
  const distinct = relationships.filter((one) => one.duplicate !== true);
  return {
    count: distinct.filter((one) => one.correct !== undefined).length,
    of: distinct.length,
    asked: expectedRelationships.length,
  };
}
