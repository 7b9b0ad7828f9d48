import type { Metric } from '../../measure/metric.ts';
import type { CaseEvidence } from '../evidence.ts';
import { fieldsWith } from '../example-evidence.ts';
import { shareOverFields } from '../over-fields.ts';

export const fieldPrecision: Metric<CaseEvidence> = {
  id: 'decomposition/field-precision',
  title: 'Field precision',
  question: 'How many of the extracted field values are right?',
  formula:
    'right field values / extracted field values, each item of a list counted; 0 when none were extracted although some are expected',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  onlyWhereMeasured: true,
  zones: { fail: 0.5, target: 0.65, excellent: 0.8 },
  example: {
    given: '4 values extracted, 3 of them right',
    cases: [
      fieldsWith([
        { name: 'date', right: 1, exact: 1, given: 1, wanted: 1 },
        { name: 'total', right: 0, exact: 0, given: 1, wanted: 1 },
        { name: 'items', right: 2, exact: 1, given: 2, wanted: 3 },
      ]),
    ],
    value: 0.75,
  },
  compute: (cases) =>
    shareOverFields(
      cases,
      ({ right }) => right,
      ({ given }) => given,
      'no field values were extracted',
    ),
};
