import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const conceptRecall: Metric<CaseEvidence> = {
  id: 'decomposition/concept-recall',
  title: 'Concept recall',
  question: 'How many of the expected concepts were found?',
  formula: 'expected concepts found / expected concepts; each is found once or not at all',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  zones: { fail: 0.6, target: 0.7, excellent: 0.85 },
  example: {
    given: '25 concepts expected, 18 of them found',
    cases: [evidenceWith({ expected: 25, found: 18 })],
    value: 0.72,
  },
  compute: (cases) => shareOverTrials(cases, foundConcepts, 'the golden case expects no concepts'),
};

export function foundConcepts({ expected }: Pick<TrialEvidence, 'expected'>): Share {
  return { count: expected.filter((concept) => concept.found !== undefined).length, of: expected.length };
}
