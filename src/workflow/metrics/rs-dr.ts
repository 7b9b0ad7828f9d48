import type { Metric } from '../../measure/metric.ts';
import type { RunEvidence } from '../evidence.ts';
import { THREE_RUNS } from '../example-runs.ts';
import { stability } from '../stability.ts';
import { dr } from './dr.ts';

export const rsDr: Metric<RunEvidence> = stability(dr, {
  id: 'workflow/rs-dr',
  title: 'Run stability of the detection rate',
  example: {
    given: 'detection rates 75, 62.5 and 50 in three runs: 1 − 12.5 / 62.5',
    cases: THREE_RUNS,
    value: 0.8,
  },
});
