/** Everything that is said about an experiment, before anybody words it. */
import type { WorkflowComparison } from '../compare/measure-sides.ts';
import type { CategoryHeatmap } from './category-heatmap.ts';
import type { ConcernRow } from './concern-table.ts';
import type { ErrorAcross } from './error-matrix.ts';
import type { ExaminedArm } from './examined-arm.ts';
import type { ExperimentRow } from './experiments.ts';
import type { Fix } from './fix-next.ts';
import type { ReportClaim } from './report-claims.ts';

export type Report = {
  readonly baseline: string;
  readonly arms: readonly ExaminedArm[];
  readonly experiments: readonly ExperimentRow[];
  readonly comparisons: readonly WorkflowComparison[];
  readonly heatmap: CategoryHeatmap;
  readonly errors: readonly ErrorAcross[];
  readonly concerns: readonly ConcernRow[];
  readonly fixes: readonly Fix[];
  readonly claims: readonly ReportClaim[];
};
