import type { Metric } from '../../measure/metric.ts';
import { countsOf } from '../counts.ts';
import type { RunEvidence } from '../evidence.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { shareOverRuns } from '../over-runs.ts';

export const dis: Metric<RunEvidence> = {
  id: 'workflow/dis',
  title: 'Discovery rate',
  question: 'How much of what the review found was not in the ground truth?',
  formula: 'bonus / (matched + partial + bonus) × 100; a high rate says that the ground truth is incomplete',
  unit: 'percent',
  range: [0, 100],
  better: 'higher',
  example: {
    given: '4 findings match an error, 1 more is confirmed: 1 / 5',
    cases: [evidenceWith({ errors: SIX_ERRORS, others: { BONUS_VALID: 1 } })],
    value: 20,
  },
  compute: (runs) =>
    shareOverRuns(
      runs,
      100,
      (run) => {
        const { matched, partial, bonus } = countsOf(run);
        return { count: bonus, of: matched + partial + bonus };
      },
      'no finding was confirmed',
    ),
};
