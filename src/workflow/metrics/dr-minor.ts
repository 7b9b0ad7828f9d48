import type { Metric } from '../../measure/metric.ts';
import { detectionRateOf } from '../detected-errors.ts';
import type { RunEvidence } from '../evidence.ts';

export const drMinor: Metric<RunEvidence> = detectionRateOf('MINOR', '1 minor error, found in part', 50);
