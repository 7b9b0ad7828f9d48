/** What each concern of a workflow brings per method, over all its runs. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { mean } from '../../stats/mean.ts';
import { type ConcernValue, concernValues } from '../concerns.ts';
import { type ExaminedArm, runsOf, workflowsOf } from './examined-arm.ts';

export type ConcernRow = {
  readonly workflow: string;
  readonly id: string;
  readonly layer: string;
  /** Means over the runs that use the concern. */
  readonly points: number;
  readonly methods: number;
  readonly efficiency: Measurement;
  readonly runs: number;
  /** Worth less than half of what a concern of this workflow is worth on average. */
  readonly low: boolean;
};

const LOW_SHARE = 0.5;

/** Of each workflow the least efficient first. */
export function concernTable(arms: readonly ExaminedArm[]): ConcernRow[] {
  return workflowsOf(arms).flatMap((workflow) => {
    const values = runsOf(arms, workflow).flatMap(concernValues);
    const rows = [...Map.groupBy(values, ({ id }) => id).values()].map(rowOf);
    const usual = mean(rows.flatMap(({ efficiency }) => numberOf(efficiency) ?? [])) ?? 0;
    return rows
      .map((row) => ({
        workflow,
        ...row,
        low: (numberOf(row.efficiency) ?? usual) < LOW_SHARE * usual,
      }))
      .sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
  });
}

function rowOf(values: readonly ConcernValue[]): Omit<ConcernRow, 'workflow' | 'low'> {
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
