/** Every expected error across all runs: found always, sometimes or never, and by which workflow. */
import { mean } from '../../stats/mean.ts';
import { SEVERITIES, type Severity } from '../truth.ts';
import type { ExaminedArm } from './examined-arm.ts';

export type ErrorInArm = {
  readonly workflow: string;
  /** In the order of the runs. */
  readonly runs: readonly { readonly run: string; readonly credit: number; readonly finding?: string }[];
  /** Runs that found it, at least in part. */
  readonly found: number;
  readonly credit: number;
};

const OFTEN = ['never', 'sometimes', 'always'] as const;

export type ErrorAcross = {
  readonly task: string;
  readonly id: string;
  readonly severity: Severity;
  readonly category: string;
  readonly description: string;
  /** Over the runs of all workflows. */
  readonly often: (typeof OFTEN)[number];
  readonly foundBy: readonly string[];
  readonly arms: readonly ErrorInArm[];
};

/** What is found least comes first, the most severe of it before the rest. */
export function errorMatrix(arms: readonly ExaminedArm[]): ErrorAcross[] {
  return [...Map.groupBy(arms, ({ task }) => task)]
    .flatMap(([task, own]) => errorsOfTask(task, own))
    .sort(
      (a, b) =>
        OFTEN.indexOf(a.often) - OFTEN.indexOf(b.often) ||
        SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
    );
}

function errorsOfTask(task: string, arms: readonly ExaminedArm[]): ErrorAcross[] {
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
      often: found === 0 ? 'never' : found === runs ? 'always' : 'sometimes',
      foundBy: inArms.filter((one) => one.found > 0).map(({ workflow }) => workflow),
      arms: inArms,
    };
  });
}

function lookUp({ workflow, runs }: ExaminedArm): (error: string) => ErrorInArm {
  const byId = runs.map(({ run, errors }) => ({ run, errors: new Map(errors.map((one) => [one.id, one])) }));
  return (id) => {
    const outcomes = byId.map(({ run, errors }) => {
      const { credit = 0, finding } = errors.get(id) ?? {};
      return { run, credit, finding };
    });
    return {
      workflow,
      runs: outcomes,
      found: outcomes.filter(({ credit }) => credit > 0).length,
      credit: mean(outcomes.map(({ credit }) => credit)) ?? 0,
    };
  };
}
