import type { Metric } from '../../measure/metric.ts';
import type { CaseEvidence } from '../evidence.ts';
import { fieldsWith } from '../example-evidence.ts';
import { shareOverFields } from '../over-fields.ts';

export const fieldExactness: Metric<CaseEvidence> = {
  id: 'decomposition/field-exactness',
  title: 'Field exactness',
  question: 'How many right values are written exactly as expected?',
  formula: 'right field values that equal the expected one character by character / right field values',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  onlyWhereMeasured: true,
  zones: { fail: 0, target: 0.8, excellent: 1 },
  example: {
    given: '4 values are right, 3 of them literally',
    cases: [
      fieldsWith([
        { name: 'date', right: 1, exact: 0, given: 1, wanted: 1 },
        { name: 'items', right: 3, exact: 3, given: 3, wanted: 3 },
      ]),
    ],
    value: 0.75,
  },
  compute: (cases) =>
    shareOverFields(
      cases,
      ({ exact = 0 }) => exact,
      ({ right }) => right,
      'no field value is right',
    ),
};
