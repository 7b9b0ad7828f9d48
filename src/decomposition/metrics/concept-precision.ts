import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import { distinctConcepts } from '../distinct-concepts.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const conceptPrecision: Metric<CaseEvidence> = {
  id: 'decomposition/concept-precision',
  title: 'Concept precision',
  question: 'How many of the extracted concepts are right?',
  formula:
    'correct concepts / extracted concepts, each counted once however often it is repeated; 0 when none were extracted although some are expected',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  zones: { fail: 0.5, target: 0.65, excellent: 0.8 },
  example: {
    given: '20 concepts extracted, 16 of them match',
    cases: [evidenceWith({ extracted: 20, correct: 16 })],
    value: 0.8,
  },
  compute: (cases) => shareOverTrials(cases, correctConcepts, 'no concepts were extracted'),
};

/** No concepts at all, although some are expected, is a failure. */
export function correctConcepts(trial: TrialEvidence): Share {
  const concepts = distinctConcepts(trial);
  return {
    count: concepts.filter(({ match }) => match !== undefined).length,
    of: concepts.length,
    asked: trial.expected.length,
  };
}
