import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import { distinctConcepts } from '../distinct-concepts.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const hallucinationRate: Metric<CaseEvidence> = {
  id: 'decomposition/hallucination-rate',
  title: 'Hallucination rate',
  question: 'How many of the extracted concepts are canaries that the text does not contain?',
  formula:
    'forbidden concepts extracted / extracted concepts, each counted once however often it is repeated',
  unit: 'ratio',
  range: [0, 1],
  better: 'lower',
  zones: { fail: 0.05, target: 0.02, excellent: 0 },
  example: {
    given: '20 concepts extracted, 1 of them forbidden',
    cases: [evidenceWith({ extracted: 20, canaries: 1 })],
    value: 0.05,
  },
  compute: (cases) => shareOverTrials(cases, forbiddenConcepts, 'no concepts were extracted'),
};

export function forbiddenConcepts(trial: TrialEvidence): Share {
  const concepts = distinctConcepts(trial);
  return { count: concepts.filter((concept) => concept.canary !== undefined).length, of: concepts.length };
}
