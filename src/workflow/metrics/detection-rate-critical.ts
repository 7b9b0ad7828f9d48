import { detectionRateOf } from '../detected-errors.ts';
import type { ReviewMetric } from '../metric.ts';

export const detectionRateCritical: ReviewMetric = detectionRateOf(
  'CRITICAL',
  '2 critical errors, 1 found',
  50,
);
