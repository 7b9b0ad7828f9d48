import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { type FindingAcross, findingsAcross } from '../counts.ts';
import { TWO_RUNS } from '../example-evidence.ts';
import { meanOverRepetitions } from '../mean-over-runs.ts';
import type { ReviewMetric } from '../metric.ts';

export const findingConsistency: ReviewMetric = {
  id: 'workflow/fc',
  file: 'finding-consistency',
  label: 'FC',
  title: 'Finding consistency',
  needs: 'all runs',
  question: 'Does the review find the same things when it is repeated?',
  formula:
    'findings in all runs / findings in any run × 100, right or wrong; the same finding matches the same error, or has the same place and text',
  unit: 'percent',
  range: [0, 100],
  better: 'higher',
  example: {
    given: 'one error found in both runs, two more in one of them: 1 / 3',
    cases: TWO_RUNS,
    value: 33.3,
  },
  compute: (runs) =>
    meanOverRepetitions(runs, (repeated) => {
      if (repeated.length < 2) return unmeasured('needs at least two runs');
      return consistencyOf(
        findingsAcross(repeated, () => true),
        repeated.length,
        'no run has a finding',
      );
    }),
};

/** The share of findings present in all runs among those present in any. */
export function consistencyOf(
  across: readonly FindingAcross[],
  runs: number,
  whenEmpty: string,
): Measurement {
  if (across.length === 0) return unmeasured(whenEmpty);
  const consistent = across.filter(({ runs: count }) => count === runs).length;
  return estimate((100 * consistent) / across.length, runs);
}
