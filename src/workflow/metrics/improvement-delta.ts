import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { mean } from '../../stats/descriptive.ts';
import type { RunEvidence } from '../evidence.ts';
import type { ReviewMetric } from '../metric.ts';
import type { OesChoice } from '../weights.ts';
import { overallEffectiveness, overallEffectivenessWith } from './overall-effectiveness-score.ts';

/** Computed per task, so that a task which only one side reviewed does not count as a difference. */
export function improvementDeltaWith(choice: OesChoice): ReviewMetric {
  const overall = overallEffectivenessWith(choice);
  return {
    id: 'workflow/improvement-delta',
    title: 'Improvement delta',
    needs: 'two workflows',
    aside: true,
    question: 'How much better is the new workflow?',
    formula:
      'mean overall effectiveness of the new runs − that of the baseline runs, over the tasks that both reviewed',
    unit: 'percent',
    range: [-100, 100],
    better: 'higher',
    example: {
      given:
        'the new workflow finds one critical error more: WDS 80.8 instead of 57.7, TE 0.42 instead of 0.3',
      cases: IMPROVED,
      value: 11.03,
    },
    compute: (runs) => {
      const tasks = [...Map.groupBy(runs, ({ task }) => task).values()];
      const differences = tasks.flatMap((all) => {
        const [before, after] = [overallOf(all, 'baseline'), overallOf(all, 'candidate')];
        return before.measured && after.measured
          ? [{ value: after.value - before.value, n: before.n + after.n }]
          : [];
      });
      const value = mean(differences.map((one) => one.value));
      if (value !== undefined)
        return estimate(
          value,
          differences.reduce((sum, { n }) => sum + n, 0),
        );
      const arms = new Set(runs.flatMap(({ arm }) => arm ?? []));
      if (arms.size < 2) return unmeasured('needs runs of two workflows');
      const reasons = runs.flatMap((run) => reasonOf(overall.compute([run])) ?? []);
      return unmeasured(
        ['no task has an overall effectiveness on both sides', ...reasons.slice(0, 1)].join('; '),
      );
    },
  };

  function overallOf(runs: readonly RunEvidence[], arm: RunEvidence['arm']): Measurement {
    const measured = runs.flatMap((run) => {
      const one = run.arm === arm ? overall.compute([run]) : unmeasured('the other side');
      return one.measured ? [one.value] : [];
    });
    const value = mean(measured);
    return value === undefined ? unmeasured('no run') : estimate(value, measured.length);
  }
}

function reasonOf(measurement: Measurement): string | undefined {
  return measurement.measured ? undefined : measurement.reason;
}

const IMPROVED: readonly RunEvidence[] = overallEffectiveness.example.cases.flatMap((run) => [
  { ...run, workflow: 'v6', arm: 'baseline' },
  {
    ...run,
    workflow: 'v6.1',
    arm: 'candidate',
    errors: run.errors.map((error) => (error.severity === 'CRITICAL' ? { ...error, credit: 1 } : error)),
  },
]);
