import type { Metric } from '../../measure/metric.ts';
import { mergeCells, type ProductionCell } from '../production/cell.ts';
import { cellWith } from '../production/example-cell.ts';
import { meanOf } from '../production/figures.ts';

export const costPerDecomposition: Metric<ProductionCell> = {
  id: 'decomposition/cost-per-decomposition',
  title: 'Cost per decomposition',
  question: 'What does a request in production cost?',
  formula: 'dollars / requests with a cost',
  unit: 'usd',
  range: [0, Infinity],
  better: 'lower',
  zones: { fail: 0.1, target: 0.05, excellent: 0 },
  example: {
    given: 'three requests at $0.02, $0.03 and $0.04',
    cases: [cellWith([{ costUsd: 0.02 }, { costUsd: 0.03 }, { costUsd: 0.04 }])],
    value: 0.03,
  },
  compute: (cells) => meanOf(mergeCells(cells)?.cost, 'no request reported its cost'),
};
