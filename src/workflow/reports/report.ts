/** Everything that is said about an experiment, before anybody words it. */
import type { WorkflowComparison } from '../compare/compare-sides.ts';
import type { OesComponent } from '../weights.ts';
import { type CategoryHeatmap, categoryHeatmap } from './category-heatmap.ts';
import { type ConcernRow, concernTable } from './concern-table.ts';
import { type ErrorAcross, errorMatrix } from './error-matrix.ts';
import { type ExaminedArm, workflowsOf } from './examined-arm.ts';
import { comparisonsOf, type ExperimentRow, experimentRows } from './experiments.ts';
import { type Fix, fixNext } from './fix-next.ts';
import { type ReportClaim, reportClaims } from './report-claims.ts';

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

/** Without a name the first workflow is what the others are held against. */
export function reportOf(
  arms: readonly ExaminedArm[],
  baseline: string = workflowsOf(arms)[0] ?? '',
  components?: readonly OesComponent[],
): Report {
  const heatmap = categoryHeatmap(arms.flatMap(({ runs }) => runs));
  const errors = errorMatrix(arms);
  const concerns = concernTable(arms);
  return {
    baseline,
    arms,
    experiments: experimentRows(arms, baseline, components),
    comparisons: comparisonsOf(arms, baseline, components),
    heatmap,
    errors,
    concerns,
    fixes: fixNext(arms, heatmap, errors, concerns),
    claims: reportClaims(arms, baseline, heatmap),
  };
}
