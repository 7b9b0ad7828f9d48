/** Workflows × tasks side by side: every pair with its scores, and what changed against the baseline. */
import { type Measurement, unmeasured } from '../../measure/metric.ts';
import type { DocumentedRule } from '../compare/documented-rule.ts';
import type { ComparisonSide, WorkflowComparison } from '../compare/measure-sides.ts';
import type { ReviewMetric } from '../metric.ts';
import { type MetricRow, type ScoreSummary, summarise } from '../summary.ts';
import { type ExaminedArm, runsOf, workflowsOf } from './error-matrix.ts';

/** A value over the runs with its spread. */
type MeanAndSd = { readonly mean: Measurement; readonly sd: Measurement };

export type ExperimentRow = {
  /** `001`: its place in the experiment. */
  readonly exp: string;
  readonly arm: ExaminedArm;
  readonly summary: ScoreSummary;
  readonly dr: MeanAndSd;
  readonly wds: MeanAndSd;
  readonly te: MeanAndSd;
  readonly precision: MeanAndSd;
  readonly dq: MeanAndSd;
  readonly oes: MeanAndSd;
  /** Absent for the baseline itself. */
  readonly against?: AgainstBaseline;
};

type AgainstBaseline = {
  readonly baseline: string;
  readonly delta: Measurement;
  readonly rule: DocumentedRule;
  /** Of the paired test over errors, which leads. */
  readonly verdict?: WorkflowComparison['verdict'];
};

/** Holds a candidate against its baseline. */
type Compare = (before: ComparisonSide, after: ComparisonSide) => WorkflowComparison;

/** `comparisons`: every other workflow against the baseline over all tasks, where they are compared already. */
export function experimentRows(
  arms: readonly ExaminedArm[],
  baseline: string,
  metrics: readonly ReviewMetric[],
  comparisons: readonly WorkflowComparison[],
  compare: Compare,
): ExperimentRow[] {
  return arms.map((arm, index) => {
    const summary = summarise(arm.runs, metrics);
    const of = (key: string): MeanAndSd => {
      const { overall, sd } = summary.rows.find((row) => row.key === key) as MetricRow;
      return { mean: overall, sd };
    };
    return {
      exp: String(index + 1).padStart(3, '0'),
      arm,
      summary,
      dr: of('dr'),
      wds: of('wds'),
      te: of('te'),
      precision: of('precision'),
      dq: of('dq'),
      oes: of('oes'),
      ...(arm.workflow !== baseline && {
        against: againstBaseline(arm, arms, baseline, comparisons, compare),
      }),
    };
  });
}

function againstBaseline(
  arm: ExaminedArm,
  arms: readonly ExaminedArm[],
  baseline: string,
  comparisons: readonly WorkflowComparison[],
  compare: Compare,
): AgainstBaseline {
  const base = arms.find(({ workflow, task }) => workflow === baseline && task === arm.task);
  if (base === undefined) {
    const reason = `${baseline} was not run on ${arm.task}`;
    return { baseline, delta: unmeasured(reason), rule: { measured: false, reason } };
  }
  // With one task the comparison over all tasks is the one on this task.
  const whole = comparisons.find(
    ({ before, after }) =>
      after.name === arm.workflow &&
      before.runs.length === base.runs.length &&
      after.runs.length === arm.runs.length,
  );
  const { improvement, verdict } =
    whole ?? compare({ name: baseline, runs: base.runs }, { name: arm.workflow, runs: arm.runs });
  return { baseline, delta: improvement.delta, rule: improvement.rule, verdict };
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
