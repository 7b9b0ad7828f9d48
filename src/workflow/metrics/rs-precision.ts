import type { Metric } from '../../measure/metric.ts';
import type { RunEvidence } from '../evidence.ts';
import { THREE_RUNS } from '../example-runs.ts';
import { stability } from '../stability.ts';
import { precision } from './precision.ts';

export const rsPrecision: Metric<RunEvidence> = stability(precision, {
  id: 'workflow/rs-precision',
  title: 'Run stability of precision',
  example: {
    given: 'precision 1, 0.75 and 0.5 in three runs: 1 − 0.25 / 0.75',
    cases: THREE_RUNS,
    value: 0.667,
  },
});
