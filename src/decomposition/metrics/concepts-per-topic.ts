import type { Metric } from '../../measure/metric.ts';
import { mergeCells, type ProductionCell } from '../production/cell.ts';
import { cellWith } from '../production/example-cell.ts';
import { meanOf } from '../production/figures.ts';

export const conceptsPerTopic: Metric<ProductionCell> = {
  id: 'decomposition/concepts-per-topic',
  title: 'Concepts per topic',
  question: 'How many concepts does a request in production give?',
  formula: 'concepts extracted / requests with a concept count',
  unit: 'count',
  range: [0, Infinity],
  better: 'higher',
  aim: [15, 30],
  example: {
    given: 'three requests with 12, 18 and 24 concepts',
    cases: [cellWith([{ concepts: 12 }, { concepts: 18 }, { concepts: 24 }])],
    value: 18,
  },
  compute: (cells) => meanOf(mergeCells(cells)?.concepts, 'no request reported its number of concepts'),
};
