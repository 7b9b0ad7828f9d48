/** Workflows × tasks side by side: every pair with its scores, and what changed against the baseline. */
import { type Measurement, unmeasured } from '../../measure/metric.ts';
import { compareSides, type WorkflowComparison } from '../compare/compare-sides.ts';
import type { DocumentedRule } from '../compare/documented-rule.ts';
import { type MetricRow, type ScoreSummary, summarise } from '../summary.ts';
import type { OesComponent } from '../weights.ts';
import { type ExaminedArm, runsOf, workflowsOf } from './examined-arm.ts';

/** A value over the runs with its spread. */
export type MeanAndSd = { readonly mean: Measurement; readonly sd: Measurement };

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

export type AgainstBaseline = {
  readonly baseline: string;
  readonly delta: Measurement;
  readonly rule: DocumentedRule;
  /** Of the paired test over errors, which leads. */
  readonly verdict?: WorkflowComparison['verdict'];
};

export function experimentRows(
  arms: readonly ExaminedArm[],
  baseline: string,
  components?: readonly OesComponent[],
): ExperimentRow[] {
  return arms.map((arm, index) => {
    const summary = summarise(arm.runs, components);
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
      ...(arm.workflow !== baseline && { against: againstBaseline(arm, arms, baseline, components) }),
    };
  });
}

function againstBaseline(
  arm: ExaminedArm,
  arms: readonly ExaminedArm[],
  baseline: string,
  components: readonly OesComponent[] | undefined,
): AgainstBaseline {
  const base = arms.find(({ workflow, task }) => workflow === baseline && task === arm.task);
  if (base === undefined) {
    const reason = `${baseline} was not run on ${arm.task}`;
    return { baseline, delta: unmeasured(reason), rule: { measured: false, reason } };
  }
  const { improvement, verdict } = compareSides(
    { name: baseline, runs: base.runs },
    { name: arm.workflow, runs: arm.runs },
    components && { components },
  );
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
  components?: readonly OesComponent[],
): WorkflowComparison[] {
  const before = { name: baseline, runs: runsOf(arms, baseline) };
  return workflowsOf(arms)
    .filter((workflow) => workflow !== baseline)
    .map((name) => compareSides(before, { name, runs: runsOf(arms, name) }, components && { components }));
}
