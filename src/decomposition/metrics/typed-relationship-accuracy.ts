import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';
import { correctRelationships } from './relationship-accuracy.ts';

export const typedRelationshipAccuracy: Metric<CaseEvidence> = {
  id: 'decomposition/typed-relationship-accuracy',
  title: 'Typed relationship accuracy',
  question:
    'How many of the extracted relationships that say more than that two concepts are related are right?',
  formula:
    'relationship accuracy over relationships with another predicate than RELATES_TO; 0 when none were extracted although some are expected',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  example: {
    given: '40 relationships with IS_A extracted, 28 of them match',
    cases: [evidenceWith({ relationships: 40, correctRelationships: 28 })],
    value: 0.7,
  },
  compute: (cases) => shareOverTrials(cases, correctTyped, 'no typed relationships were extracted'),
};

/** RELATES_TO has no direction and fits nearly every pair, so it says little. */
function correctTyped(trial: TrialEvidence): Share {
  const isTyped = ({ predicate }: { readonly predicate: string }) => predicate !== 'RELATES_TO';
  return correctRelationships({
    relationships: trial.relationships.filter(isTyped),
    expectedRelationships: trial.expectedRelationships.filter(isTyped),
  });
}
