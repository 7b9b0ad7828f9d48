import { detectionRateOf } from '../detected-errors.ts';
import type { ReviewMetric } from '../metric.ts';

export const detectionRateImportant: ReviewMetric = detectionRateOf(
  'IMPORTANT',
  '3 important errors, 2 found',
  66.7,
);
