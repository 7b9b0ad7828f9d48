import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import { distinctConcepts } from '../distinct-concepts.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';

export const unmentionedRate: Metric<CaseEvidence> = {
  id: 'decomposition/unmentioned-rate',
  title: 'Concepts that the text does not mention',
  question: 'How many of the extracted concepts does the text not speak of at all?',
  formula:
    'extracted concepts that match nothing expected and of which the text has neither the words in a row nor all of them near each other / extracted concepts, each counted once',
  unit: 'ratio',
  range: [0, 1],
  better: 'lower',
  // A warning line without a fail line; the configuration may set one.
  zones: { fail: 1, target: 0.1, excellent: 0 },
  example: {
    given: '20 concepts extracted, 3 of which the text does not mention',
    cases: [evidenceWith({ extracted: 20, correct: 15, unmentioned: 3 })],
    value: 0.15,
  },
  compute: (cases) => shareOverTrials(cases, unmentionedConcepts, 'no concepts were extracted'),
};

function unmentionedConcepts(trial: TrialEvidence): Share {
  const concepts = distinctConcepts(trial);
  return {
    count: concepts.filter(({ match, unmentioned }) => match === undefined && unmentioned === true).length,
    of: concepts.length,
  };
}
