import type { Metric } from '../../measure/metric.ts';
import { mergeCells, type ProductionCell } from '../production/cell.ts';
import { cellWith } from '../production/example-cell.ts';
import { meanOf } from '../production/figures.ts';

export const relationshipsPerTopic: Metric<ProductionCell> = {
  id: 'decomposition/relationships-per-topic',
  title: 'Relationships per topic',
  question: 'How many relationships does a request in production give?',
  formula: 'relationships extracted / requests with a relationship count',
  unit: 'count',
  range: [0, Infinity],
  better: 'higher',
  aim: [30, 60],
  example: {
    given: 'three requests with 30, 42 and 60 relationships',
    cases: [cellWith([{ relationships: 30 }, { relationships: 42 }, { relationships: 60 }])],
    value: 44,
  },
  compute: (cells) =>
    meanOf(mergeCells(cells)?.relationships, 'no request reported its number of relationships'),
};
