import type { Metric } from '../../measure/metric.ts';
import type { RunEvidence } from '../evidence.ts';
import { layerEfficiency } from '../layer-efficiency.ts';

export const ceLayerB: Metric<RunEvidence> = layerEfficiency('B', 'B1 2 points / 4 methods', 0.5);
