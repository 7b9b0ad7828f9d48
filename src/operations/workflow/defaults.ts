import { metricKeys, runMetrics, workflowMetrics } from '../../workflow/catalog.ts';
import { LINE_TOLERANCE } from '../../workflow/match/place.ts';
import { scaleFault } from '../../workflow/policy.ts';
import { OES_COMPONENTS } from '../../workflow/weights.ts';
import type { CompareRequest } from './compare-workflows.ts';
import type { ScoreRequest } from './score-reviews.ts';

/** Defaults of a score: nothing blocks. */
export const SCORE_DEFAULTS = {
  components: OES_COMPONENTS,
  minimums: new Map(),
} as const satisfies Partial<ScoreRequest>;

/** Defaults of a comparison: by the detection rate. */
export const COMPARE_DEFAULTS = {
  components: OES_COMPONENTS,
  insist: false,
  gated: false,
} as const satisfies Partial<CompareRequest>;

/** Valid choices of a request: metric keys, components of the overall score, and the line tolerance. */

export const CHOICES = {
  lineTolerance: LINE_TOLERANCE,
  oesComponents: OES_COMPONENTS,
  /** Keys of metrics that can be compared. */
  comparable: (): readonly string[] => metricKeys(runMetrics()),
  /** Keys of metrics that can be gated. */
  gateable: (): readonly string[] => metricKeys(workflowMetrics()),
  /** Why a minimum is implausible, e.g. 0.6 for a metric from 0 to 100. */
  minimumFault: (key: string, value: number) => scaleFault(workflowMetrics(), key, value),
} as const;
