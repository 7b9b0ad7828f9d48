import { layerEfficiency } from '../concerns.ts';
import type { ReviewMetric } from '../metric.ts';

export const concernEfficiencyLayerA: ReviewMetric = layerEfficiency(
  'A',
  'A1 3 points / 2 methods, A2 2 points / 1 method: (1.5 + 2) / 2',
  1.75,
);
