import { compareSides, type WorkflowComparison } from '../../workflow/compare/compare-sides.ts';
import type { Mapping } from '../../workflow/ingest/mapping.ts';
import type { OesComponent } from '../../workflow/weights.ts';
import type { Ports } from '../ports.ts';
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
};

export type ComparedWorkflows = {
  readonly comparison: WorkflowComparison;
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
};

/** Is the new version of a review better, or is the difference noise? */
export async function compareWorkflows(request: CompareRequest, ports: Ports): Promise<ComparedWorkflows> {
  const { baseline, candidate, from, primary, components, insist } = request;
  const { before, after, mappings, notes } = await readSides(from, baseline, candidate, ports);
  return { comparison: compareSides(before, after, { primary, components, insist }), mappings, notes };
}
