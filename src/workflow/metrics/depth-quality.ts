import { estimate, unmeasured } from '../../measure/metric.ts';
import { mean } from '../../stats/descriptive.ts';
import { isConfirmed } from '../counts.ts';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { meanOverRuns } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';
import { DEPTHS } from '../review.ts';

export const depthQuality: ReviewMetric = {
  id: 'workflow/dq',
  file: 'depth-quality',
  label: 'DQ',
  title: 'Depth quality',
  question: 'How deep does the analysis go?',
  formula:
    'mean depth of the confirmed findings that carry one: symptom 1, cause 2, structure 3, assumption 4, root cause 5',
  unit: 'score',
  range: [1, 5],
  better: 'higher',
  zones: { fail: 2, target: 3, excellent: 4 },
  pastLine: true,
  example: {
    given: 'four confirmed findings, of which three carry a depth: root cause 5, structure 3, cause 2',
    cases: [evidenceWith({ errors: SIX_ERRORS, depths: ['ROOT_CAUSE', 'STRUCTURE', 'CAUSE'] })],
    value: 3.33,
  },
  compute: (runs) =>
    meanOverRuns(runs, [1, 5], (run) => {
      const confirmed = run.findings.filter(isConfirmed);
      const depths = confirmed.flatMap(({ depth }) =>
        depth === undefined ? [] : [DEPTHS.indexOf(depth) + 1],
      );
      const value = mean(depths);
      if (value === undefined) {
        return unmeasured(
          confirmed.length === 0 ? 'no finding was confirmed' : 'no confirmed finding carries a depth',
        );
      }
      const without = confirmed.length - depths.length;
      return estimate(
        value,
        depths.length,
        without === 0 ? {} : { skipped: { 'carries no depth': without } },
      );
    }),
};
