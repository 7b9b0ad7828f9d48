import type { Metric } from '../../measure/metric.ts';
import type { RunEvidence } from '../evidence.ts';
import { THREE_RUNS } from '../example-runs.ts';
import { stability } from '../stability.ts';
import { dq } from './dq.ts';

export const rsDq: Metric<RunEvidence> = stability(dq, {
  id: 'workflow/rs-dq',
  title: 'Run stability of depth quality',
  example: {
    given: 'depth quality 5, 4 and 3 in three runs: 1 − 1 / 4',
    cases: THREE_RUNS,
    value: 0.75,
  },
});
