import type { Metric } from '../../measure/metric.ts';
import type { Share } from '../../measure/over-cases.ts';
import type { CaseEvidence, TrialEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { shareOverTrials } from '../over-trials.ts';
import { foundConcepts } from './concept-recall.ts';

export const requiredRecall: Metric<CaseEvidence> = {
  id: 'decomposition/required-recall',
  title: 'Recall of required concepts',
  question: 'How many of the concepts that must be found were found?',
  formula: 'required concepts found / required concepts',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  example: {
    given: '25 concepts expected, 20 of them required; 18 found, all of them required ones',
    cases: [evidenceWith({ expected: 25, required: 20, found: 18 })],
    value: 0.9,
  },
  compute: (cases) => shareOverTrials(cases, foundRequired, 'the golden case requires no concepts'),
};

function foundRequired({ expected }: TrialEvidence): Share {
  return foundConcepts({ expected: expected.filter(({ required }) => required) });
}
