/** Every expected error across all runs: found always, sometimes or never, and by which workflow. */

import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { mean } from '../../stats/descriptive.ts';
import { type ConcernValue, concernValues } from '../concerns.ts';
import type { RunEvidence } from '../evidence.ts';
import type { ReviewRun } from '../review.ts';
import { type GroundTruth, SEVERITIES } from '../truth.ts';

/** Over the runs of all workflows. */
const OFTEN = ['never', 'sometimes', 'always'] as const;

export type ErrorAcross = ReturnType<typeof errorMatrix>[number];

/** What is found least comes first, the most severe of it before the rest. */
export function errorMatrix(arms: readonly ExaminedArm[]) {
  return [...Map.groupBy(arms, ({ task }) => task)]
    .flatMap(([task, own]) => errorsOfTask(task, own))
    .sort(
      (a, b) =>
        OFTEN.indexOf(a.often) - OFTEN.indexOf(b.often) ||
        SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
    );
}

function errorsOfTask(task: string, arms: readonly ExaminedArm[]) {
  const runs = arms.reduce((sum, arm) => sum + arm.runs.length, 0);
  const lookups = arms.map(lookUp);
  return (arms[0]?.truth.errors ?? []).map(({ id, severity, category, description }) => {
    const inArms = lookups.map((inArm) => inArm(id));
    const found = inArms.reduce((sum, one) => sum + one.found, 0);
    return {
      task,
      id,
      severity,
      category,
      description,
      often: OFTEN[found === 0 ? 0 : found === runs ? 2 : 1],
      foundBy: inArms.filter((one) => one.found > 0).map(({ workflow }) => workflow),
      arms: inArms,
    };
  });
}

function lookUp({ workflow, runs }: ExaminedArm) {
  const byId = runs.map(({ run, errors }) => ({ run, errors: new Map(errors.map((one) => [one.id, one])) }));
  return (id: string) => {
    const outcomes = byId.map(({ run, errors }) => {
      const { credit = 0, finding } = errors.get(id) ?? {};
      return { run, credit, finding };
    });
    const found = outcomes.filter(({ credit }) => credit > 0).length;
    return { workflow, runs: outcomes, found, credit: mean(outcomes.map(({ credit }) => credit)) ?? 0 };
  };
}

/** One workflow on one task, examined: what every report is made of. */
export type ExaminedArm = {
  readonly workflow: string;
  readonly task: string;
  readonly truth: GroundTruth;
  /** What each run reported, in the order of `runs`. */
  readonly reviews: readonly ReviewRun[];
  readonly runs: readonly RunEvidence[];
};

export function workflowsOf(arms: readonly { readonly workflow: string }[]): string[] {
  return [...new Set(arms.map(({ workflow }) => workflow))];
}

export function runsOf(arms: readonly ExaminedArm[], workflow: string): readonly RunEvidence[] {
  return arms.filter((arm) => arm.workflow === workflow).flatMap(({ runs }) => runs);
}

/** What each concern of a workflow brings per method, over all its runs. */
export type ConcernRow = ReturnType<typeof concernTable>[number];

const LOW_SHARE = 0.5;

/** Of each workflow the least efficient first. Low is worth less than half of what its concerns are worth on average. */
export function concernTable(arms: readonly ExaminedArm[]) {
  return workflowsOf(arms).flatMap((workflow) => {
    const values = runsOf(arms, workflow).flatMap(concernValues);
    const rows = [...Map.groupBy(values, ({ id }) => id).values()].map(rowOf);
    const usual = mean(rows.flatMap(({ efficiency }) => numberOf(efficiency) ?? [])) ?? 0;
    return rows
      .map((row) => ({ workflow, ...row, low: (numberOf(row.efficiency) ?? usual) < LOW_SHARE * usual }))
      .sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
  });
}

function rowOf(values: readonly ConcernValue[]) {
  const { id, layer } = values[0] as ConcernValue;
  const efficiencies = values.flatMap(({ efficiency }) => numberOf(efficiency) ?? []);
  const efficiency = mean(efficiencies);
  return {
    id,
    layer,
    points: mean(values.map(({ points }) => points)) as number,
    methods: mean(values.map(({ methods }) => methods)) as number,
    efficiency:
      efficiency === undefined
        ? unmeasured(`concern ${id} records no methods`)
        : estimate(efficiency, efficiencies.length),
    runs: values.length,
  };
}

function numberOf(measurement: Measurement): number | undefined {
  return measurement.measured ? measurement.value : undefined;
}

function rank({ efficiency }: { readonly efficiency: Measurement }): number {
  return numberOf(efficiency) ?? Number.POSITIVE_INFINITY;
}
