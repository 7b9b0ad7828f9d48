import type { Metric } from '../../measure/metric.ts';
import type { RunEvidence } from '../evidence.ts';
import { layerEfficiency } from '../layer-efficiency.ts';

export const ceLayerA: Metric<RunEvidence> = layerEfficiency(
  'A',
  'A1 3 points / 2 methods, A2 2 points / 1 method: (1.5 + 2) / 2',
  1.75,
);
