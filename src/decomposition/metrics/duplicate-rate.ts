import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import { distinctConcepts, eachConcept } from '../distinct-concepts.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const duplicateRate: Metric<CaseEvidence> = {
  id: 'decomposition/duplicate-rate',
  title: 'Duplicate rate',
  question: 'How many of the extracted concepts and relationships are duplicates?',
  formula:
    '(concepts that repeat another by its spelling or as the same expected one + relationships that repeat another) / (extracted concepts + relationships)',
  unit: 'ratio',
  range: [0, 1],
  better: 'lower',
  // A warning line without a fail line; the configuration may set one.
  zones: { fail: 1, target: 0.1, excellent: 0 },
  example: {
    given: '20 concepts extracted, 16 of them match 15 expected ones',
    cases: [evidenceWith({ extracted: 20, correct: 16, duplicates: 1 })],
    value: 0.05,
  },
  compute: (cases) => shareOverTrials(cases, repeated, 'nothing was extracted'),
};

function repeated(trial: TrialEvidence): Share {
  const { relationships } = trial;
  const concepts = eachConcept(trial);
  const again =
    concepts.length -
    distinctConcepts(trial).length +
    relationships.filter(({ duplicate }) => duplicate === true).length;
  return { count: again, of: concepts.length + relationships.length };
}
