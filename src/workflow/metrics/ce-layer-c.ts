import type { Metric } from '../../measure/metric.ts';
import type { RunEvidence } from '../evidence.ts';
import { layerEfficiency } from '../layer-efficiency.ts';

export const ceLayerC: Metric<RunEvidence> = layerEfficiency('C', 'C1 no points / 1 method', 0);
