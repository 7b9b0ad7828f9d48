import { layerEfficiency } from '../concerns.ts';
import type { ReviewMetric } from '../metric.ts';

export const concernEfficiencyLayerB: ReviewMetric = layerEfficiency('B', 'B1 2 points / 4 methods', 0.5);
