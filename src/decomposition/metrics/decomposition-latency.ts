import type { Metric } from '../../measure/metric.ts';
import { mergeCells, type ProductionCell } from '../production/cell.ts';
import { cellWith } from '../production/example-cell.ts';
import { latencyAt } from '../production/figures.ts';

export const decompositionLatency: Metric<ProductionCell> = {
  id: 'decomposition/decomposition-latency',
  title: 'Decomposition latency (p95)',
  question: 'Within what time do 95 of 100 requests have their answer?',
  formula: 'the time that 95% of the requests stay below, from request to response, to within 1% of itself',
  unit: 'ms',
  range: [0, Infinity],
  better: 'lower',
  zones: { fail: 5000, target: 3000, excellent: 0 },
  example: {
    given:
      '100 requests that took 20, 40, 60, … 2,000 ms: the 95th took 1,900, and the middle of its bin is 1,901',
    cases: [cellWith(Array.from({ length: 100 }, (_, i) => ({ latencyMs: 20 * (i + 1) })))],
    value: 1901,
  },
  compute: (cells) => latencyAt(mergeCells(cells)?.latency, 0.95),
};
