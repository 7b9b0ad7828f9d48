import { AssayError } from '../../errors.ts';
import { computeOnce } from '../../measure/compute-once.ts';
import { didYouMean } from '../../suggest.ts';
import { workflowMetrics } from '../../workflow/catalog.ts';
import type { ComparisonSide } from '../../workflow/compare/measure-sides.ts';
import { categoryHeatmap } from '../../workflow/reports/category-heatmap.ts';
import {
  concernTable,
  type ExaminedArm,
  errorMatrix,
  workflowsOf,
} from '../../workflow/reports/error-matrix.ts';
import { comparisonsOf, experimentRows } from '../../workflow/reports/experiments.ts';
import {
  fixNext,
  type Report,
  type ReportedExperiment,
  reportClaims,
} from '../../workflow/reports/report.ts';
import { type OesChoice, ownWeightsNotes } from '../../workflow/weights.ts';
import { compareSides } from './compare-workflows.ts';
import { type ReviewInputs, readReviews } from './read-reviews.ts';

export type ReportRequest = OesChoice & {
  readonly inputs: ReviewInputs;
  readonly workflow?: string;
  /** The workflow to compare the others with; default: the first. */
  readonly baseline?: string;
};

/** Matches and compares a whole experiment. Nothing is stored. */
export function reportExperiment({
  inputs,
  workflow,
  baseline,
  components,
  weights,
}: ReportRequest): ReportedExperiment {
  const { name, arms, mappings, ...read } = readReviews(inputs, workflow);
  const oes = { components, weights };
  const names = workflowsOf(arms);
  if (baseline !== undefined && !names.includes(baseline)) {
    throw new AssayError(
      'WORKFLOW_NOT_FOUND',
      `no run is of workflow "${baseline}", the baseline${didYouMean(baseline, names)}`,
      { remedy: `There are runs of ${names.join(', ')}.` },
    );
  }
  const notes = [...ownWeightsNotes(oes), ...read.notes];
  return { name, report: reportOf(arms, baseline, oes), mappings, notes };
}

/** Builds the report without repeating measurements or comparisons. The first workflow is the default baseline. */
export function reportOf(
  arms: readonly ExaminedArm[],
  baseline: string = workflowsOf(arms)[0] ?? '',
  oes?: OesChoice,
): Report {
  const metrics = workflowMetrics(oes).map((metric) => ({
    ...metric,
    compute: computeOnce(metric.compute),
  }));
  const compare = (before: ComparisonSide, after: ComparisonSide) => compareSides(before, after, { metrics });
  const heatmap = categoryHeatmap(arms.flatMap(({ runs }) => runs));
  const errors = errorMatrix(arms);
  const concerns = concernTable(arms);
  const comparisons = comparisonsOf(arms, baseline, compare);
  return {
    baseline,
    arms,
    experiments: experimentRows(arms, baseline, metrics, comparisons, compare),
    comparisons,
    heatmap,
    errors,
    concerns,
    fixes: fixNext(arms, heatmap, errors, concerns),
    claims: reportClaims(arms, baseline, heatmap),
  };
}
