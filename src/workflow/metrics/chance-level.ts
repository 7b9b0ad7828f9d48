import { estimate, unmeasured } from '../../measure/metric.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { meanOverRuns } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const chanceLevel: ReviewMetric = {
  id: 'workflow/chance-level',
  label: 'Chance',
  title: 'Chance level',
  aside: true,
  question: 'What would findings of the same number and width find anywhere in their files?',
  formula:
    'the expected detection rate when every finding with lines lies at a random place of its file, with its width and category',
  unit: 'percent',
  range: [0, 100],
  better: 'lower',
  example: {
    given: 'findings that would earn 12.5% of the credit anywhere',
    cases: [evidenceWith({ errors: SIX_ERRORS, chance: { rate: 12.5, covered: 0.1 } })],
    value: 12.5,
  },
  compute: (runs) =>
    meanOverRuns(runs, [0, 100], ({ chance, errors }) =>
      chance === undefined ? unmeasured('no known error has lines') : estimate(chance.rate, errors.length),
    ),
};
