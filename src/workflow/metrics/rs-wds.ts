import type { Metric } from '../../measure/metric.ts';
import type { RunEvidence } from '../evidence.ts';
import { THREE_RUNS } from '../example-runs.ts';
import { stability } from '../stability.ts';
import { wds } from './wds.ts';

export const rsWds: Metric<RunEvidence> = stability(wds, {
  id: 'workflow/rs-wds',
  title: 'Run stability of the weighted detection score',
  example: {
    given: 'weighted detection scores 75, 68.75 and 62.5 in three runs: 1 − 6.25 / 68.75',
    cases: THREE_RUNS,
    value: 0.909,
  },
});
