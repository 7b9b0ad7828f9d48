/** Workflows × tasks side by side: every pair with its scores, and what changed against the baseline. */
import { type Measurement, unmeasured } from '../../measure/metric.ts';
import type { ComparisonSide, WorkflowComparison } from '../compare/measure-sides.ts';
import type { ReviewMetric } from '../metric.ts';
import { type MetricRow, summarise } from '../summary.ts';
import { type ExaminedArm, runsOf, workflowsOf } from './error-matrix.ts';

/** A value over the runs with its spread. */
type MeanAndSd = { readonly mean: Measurement; readonly sd: Measurement };

export type ExperimentRow = ReturnType<typeof experimentRows>[number];

/** Holds a candidate against its baseline. */
type Compare = (before: ComparisonSide, after: ComparisonSide) => WorkflowComparison;

/** `comparisons`: every other workflow against the baseline over all tasks, where they are compared already. */
export function experimentRows(
  arms: readonly ExaminedArm[],
  baseline: string,
  metrics: readonly ReviewMetric[],
  comparisons: readonly WorkflowComparison[],
  compare: Compare,
) {
  return arms.map((arm, index) => {
    const summary = summarise(arm.runs, metrics);
    const of = (key: string): MeanAndSd => {
      const { overall, sd } = summary.rows.find((row) => row.key === key) as MetricRow;
      return { mean: overall, sd };
    };
    return {
      /** `001`: its place in the experiment. */
      exp: String(index + 1).padStart(3, '0'),
      arm,
      summary,
      dr: of('dr'),
      wds: of('wds'),
      te: of('te'),
      precision: of('precision'),
      dq: of('dq'),
      oes: of('oes'),
      costPerError: of('cost_per_error'),
      timePerError: of('time_per_error'),
      against:
        arm.workflow === baseline ? undefined : againstBaseline(arm, arms, baseline, comparisons, compare),
    };
  });
}

type AgainstBaseline = Pick<WorkflowComparison['improvement'], 'delta' | 'rule'> & {
  /** Of the paired test over errors, which leads. */
  readonly verdict?: WorkflowComparison['verdict'];
};

function againstBaseline(
  { workflow, task, runs }: ExaminedArm,
  arms: readonly ExaminedArm[],
  baseline: string,
  comparisons: readonly WorkflowComparison[],
  compare: Compare,
): AgainstBaseline {
  const base = arms.find((arm) => arm.workflow === baseline && arm.task === task);
  if (base === undefined) {
    const reason = `${baseline} was not run on ${task}`;
    return { delta: unmeasured(reason), rule: { measured: false, reason } };
  }
  // With one task the comparison over all tasks is the one on this task.
  const whole = comparisons.find(
    ({ before, after }) =>
      after.name === workflow && before.runs.length === base.runs.length && after.runs.length === runs.length,
  );
  const { improvement, verdict } =
    whole ?? compare({ name: baseline, runs: base.runs }, { name: workflow, runs });
  return { delta: improvement.delta, rule: improvement.rule, verdict };
}

/** How often at least one of these rows calls a difference significant where there is none. */
export function anyFalseAlarm(rows: readonly ExperimentRow[]): number {
  return (
    1 -
    rows.reduce((none, { against }) => none * (against?.rule.measured ? 1 - against.rule.falseAlarm : 1), 1)
  );
}

/** Every other workflow against the baseline, over all tasks that both reviewed. */
export function comparisonsOf(
  arms: readonly ExaminedArm[],
  baseline: string,
  compare: Compare,
): WorkflowComparison[] {
  const before = { name: baseline, runs: runsOf(arms, baseline) };
  return workflowsOf(arms)
    .filter((workflow) => workflow !== baseline)
    .map((name) => compare(before, { name, runs: runsOf(arms, name) }));
}
