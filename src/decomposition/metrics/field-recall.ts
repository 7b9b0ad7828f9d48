import type { Metric } from '../../measure/metric.ts';
import type { CaseEvidence } from '../evidence.ts';
import { fieldsWith } from '../example-evidence.ts';
import { shareOverFields } from '../over-fields.ts';

export const fieldRecall: Metric<CaseEvidence> = {
  id: 'decomposition/field-recall',
  title: 'Field recall',
  question: 'How many of the expected field values were found?',
  formula: 'right field values / expected field values, each item of a list counted',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  onlyWhereMeasured: true,
  zones: { fail: 0.6, target: 0.7, excellent: 0.85 },
  example: {
    given: '5 values expected, 3 of them found',
    cases: [
      fieldsWith([
        { name: 'date', right: 1, exact: 1, given: 1, wanted: 1 },
        { name: 'total', right: 0, exact: 0, given: 1, wanted: 1 },
        { name: 'items', right: 2, exact: 1, given: 2, wanted: 3 },
      ]),
    ],
    value: 0.6,
  },
  compute: (cases) =>
    shareOverFields(
      cases,
      ({ right }) => right,
      ({ wanted }) => wanted,
      'no fields are expected',
    ),
};
