import type { z } from 'zod';
import type { CaseChange } from '../../judge/case-changes.ts';
import type { Change, Comparison } from '../../judge/compare.ts';
import type { Paired } from '../../judge/paired.ts';
import type { RegressionAction } from '../../judge/regression-action.ts';
import { metricKey } from '../../measure/metric.ts';
import { actionText } from '../../report/regression-words.ts';
import type { comparison as schema } from '../schema/comparison.ts';
import { encodeMeasurement } from './measurement.ts';

export type ComparisonWire = z.infer<typeof schema>;
type ChangeWire = ComparisonWire['metrics'][string];

export function encodeComparison(
  comparison: Comparison,
  {
    action,
    caseChanges = [],
  }: { readonly action?: RegressionAction; readonly caseChanges?: readonly CaseChange[] } = {},
): ComparisonWire {
  return {
    baseline: { id: comparison.baseline.runId, at: comparison.baseline.at },
    differences: [...comparison.differences],
    insisted: comparison.insisted,
    ...(action !== undefined && { action: actionText(action) }),
    metrics: encodeChanges(comparison.changes),
    cases: caseChanges.map(({ id, changes }) => ({ id, metrics: encodeChanges(changes) })),
    missing_cases: [...comparison.missingCases],
    approvals: comparison.approvals.map(({ metric, reason, who, at }) => ({
      metric: metricKey(metric),
      reason,
      who,
      at,
    })),
  };
}

function encodeChanges(changes: Readonly<Record<string, Change>>): ComparisonWire['metrics'] {
  return Object.fromEntries(
    Object.entries(changes).map(([id, { size, points, baseline, paired }]) => [
      metricKey(id),
      {
        size,
        points: points ?? null,
        baseline: encodeMeasurement(baseline),
        ...(paired && { paired: encodePaired(paired) }),
      },
    ]),
  );
}

function encodePaired({ cases, points, p, verdict, ...interval }: Paired): NonNullable<ChangeWire['paired']> {
  return { points: encodeMeasurement({ measured: true, value: points, n: cases, ...interval }), p, verdict };
}
