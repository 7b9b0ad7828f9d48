import { detectionRateOf } from '../detected-errors.ts';
import type { ReviewMetric } from '../metric.ts';

export const detectionRateMinor: ReviewMetric = detectionRateOf('MINOR', '1 minor error, found in part', 50);
