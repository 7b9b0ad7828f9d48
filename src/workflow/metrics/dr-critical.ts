import type { Metric } from '../../measure/metric.ts';
import { detectionRateOf } from '../detected-errors.ts';
import type { RunEvidence } from '../evidence.ts';

export const drCritical: Metric<RunEvidence> = detectionRateOf('CRITICAL', '2 critical errors, 1 found', 50);
