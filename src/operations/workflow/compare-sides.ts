import { judgeSides } from '../../judge/sides.ts';
import {
  type ComparisonSide,
  type MeasureOptions,
  measureSides,
  type WorkflowComparison,
} from '../../workflow/compare/measure-sides.ts';

export type CompareOptions = MeasureOptions & {
  /** Worse blocks, and what cannot be told is inconclusive. */
  readonly gated?: boolean;
};

/** Two workflows on the same tasks: measured once, judged once. */
export function compareSides(
  before: ComparisonSide,
  after: ComparisonSide,
  { gated = false, ...options }: CompareOptions = {},
): WorkflowComparison {
  const measured = measureSides(before, after, options);
  return { ...measured, verdict: judgeSides(measured.tests, gated) };
}
