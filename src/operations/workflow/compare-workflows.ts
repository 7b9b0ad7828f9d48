import { workflowMetrics } from '../../workflow/catalog.ts';
import type { WorkflowComparison } from '../../workflow/compare/measure-sides.ts';
import type { Mapping } from '../../workflow/ingest/mapping.ts';
import type { OesComponent } from '../../workflow/weights.ts';
import type { Ports } from '../ports.ts';
import { compareSides } from './compare-sides.ts';
import { readSides, type SidesFrom } from './comparison-sides.ts';

export type CompareRequest = {
  readonly baseline: string;
  readonly candidate: string;
  readonly from: SidesFrom;
  /** The key of the metric that decides, named before looking. */
  readonly primary: string;
  readonly components: readonly OesComponent[];
  /** Compare although ground truth or matcher differ. */
  readonly insist: boolean;
  /** Worse blocks, and what cannot be told is inconclusive. */
  readonly gated: boolean;
};

export type ComparedWorkflows = {
  readonly comparison: WorkflowComparison;
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
};

/** Is the new version of a review better, or is the difference noise? */
export async function compareWorkflows(request: CompareRequest, ports: Ports): Promise<ComparedWorkflows> {
  const { baseline, candidate, from, primary, components, insist, gated } = request;
  const { before, after, mappings, notes } = await readSides(from, baseline, candidate, ports);
  const options = { primary, metrics: workflowMetrics(components), insist, gated };
  return { comparison: compareSides(before, after, options), mappings, notes };
}
