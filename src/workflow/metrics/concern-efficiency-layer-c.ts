import { layerEfficiency } from '../concerns.ts';
import type { ReviewMetric } from '../metric.ts';

export const concernEfficiencyLayerC: ReviewMetric = layerEfficiency('C', 'C1 no points / 1 method', 0);
