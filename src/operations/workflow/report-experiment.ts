import { AssayError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';
import type { Mapping } from '../../workflow/ingest/mapping.ts';
import { workflowsOf } from '../../workflow/reports/error-matrix.ts';
import type { Report } from '../../workflow/reports/report.ts';
import { type OesChoice, sayOwnWeights } from '../../workflow/weights.ts';
import { type ReviewInputs, readReviews } from './read-reviews.ts';
import { reportOf } from './report-of-arms.ts';

export type ReportRequest = OesChoice & {
  readonly inputs: ReviewInputs;
  readonly workflow?: string;
  /** The workflow that the others are held against; the first without one. */
  readonly baseline?: string;
};

export type ReportedExperiment = {
  readonly name: string;
  readonly report: Report;
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
};

/** A whole experiment, examined and compared. Nothing is stored. */
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
  const notes = [...sayOwnWeights(oes), ...read.notes];
  return { name, report: reportOf(arms, baseline, oes), mappings, notes };
}
