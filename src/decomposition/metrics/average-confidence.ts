import type { Metric } from '../../measure/metric.ts';
import { mergeCells, type ProductionCell } from '../production/cell.ts';
import { cellWith } from '../production/example-cell.ts';
import { meanConfidence } from '../production/figures.ts';
import { CONFIDENCE_BINS } from '../production/record.ts';

const bins = new Array<number>(CONFIDENCE_BINS).fill(0);

export const averageConfidence: Metric<ProductionCell> = {
  id: 'decomposition/average-confidence',
  title: 'Average confidence',
  question: 'How confident is the service of the concepts that it gives?',
  formula: 'sum of the confidences of concepts / concepts that have one',
  unit: 'score',
  range: [0, 1],
  better: 'higher',
  // An alert fires below the fail line; the documents define no line above the target.
  zones: { fail: 0.7, target: 0.75, excellent: 1 },
  example: {
    given: 'one request with confidences 0.9 and 0.8, one with 0.7',
    cases: [
      cellWith([
        { confidence: { n: 2, sum: 1.7, bins: bins.with(18, 1).with(16, 1) } },
        { confidence: { n: 1, sum: 0.7, bins: bins.with(14, 1) } },
      ]),
    ],
    value: 0.8,
  },
  compute: (cells) => meanConfidence(mergeCells(cells)),
};
