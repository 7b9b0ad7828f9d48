import type { Metric } from '../../measure/metric.ts';
import { detectionRateOf } from '../detected-errors.ts';
import type { RunEvidence } from '../evidence.ts';

export const drImportant: Metric<RunEvidence> = detectionRateOf(
  'IMPORTANT',
  '3 important errors, 2 found',
  66.7,
);
