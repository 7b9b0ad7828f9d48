/** What a request may choose from: metrics by their keys, parts of the overall score, how near is near. */
import { metricKeys, runMetrics, workflowMetrics } from '../../workflow/catalog.ts';
import { LINE_TOLERANCE } from '../../workflow/match/place.ts';
import { scaleFault } from '../../workflow/policy.ts';
import { OES_COMPONENTS } from '../../workflow/weights.ts';

export const CHOICES = {
  lineTolerance: LINE_TOLERANCE,
  oesComponents: OES_COMPONENTS,
  /** Keys of what can be compared. */
  comparable: (): readonly string[] => metricKeys(runMetrics()),
  /** Keys of what can be gated. */
  gateable: (): readonly string[] => metricKeys(workflowMetrics()),
  /** Why a minimum cannot be meant, e.g. 0.6 where a metric goes from 0 to 100. */
  minimumFault: (key: string, value: number) => scaleFault(workflowMetrics(), key, value),
} as const;
