import type { Metric } from '../../measure/metric.ts';
import { shareFound } from '../errors-across.ts';
import type { RunEvidence } from '../evidence.ts';
import { TWO_RUNS } from '../example-runs.ts';
import { meanOverRepetitions } from '../over-runs.ts';

export const foundAll: Metric<RunEvidence> = {
  id: 'workflow/found-all',
  title: 'Found in all runs',
  question: 'What does the review find every time?',
  formula: 'expected errors found, in full or in part, in every run / expected errors × 100',
  unit: 'percent',
  range: [0, 100],
  better: 'higher',
  example: {
    given: '1 of 4 errors found in both runs',
    cases: TWO_RUNS,
    value: 25,
  },
  compute: (runs) => meanOverRepetitions(runs, (repeated) => shareFound(repeated, (found, n) => found === n)),
};
