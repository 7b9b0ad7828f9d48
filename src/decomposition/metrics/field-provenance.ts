import type { Metric } from '../../measure/metric.ts';
import type { CaseEvidence } from '../evidence.ts';
import { fieldsWith } from '../example-evidence.ts';
import { shareOverFields } from '../over-fields.ts';

export const fieldProvenance: Metric<CaseEvidence> = {
  id: 'decomposition/field-provenance',
  title: 'Field provenance',
  question: 'How many extracted fields have a quote that occurs in the text?',
  formula: 'extracted fields whose quote occurs in the source text / extracted fields',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  onlyWhereMeasured: true,
  zones: { fail: 0, target: 0.95, excellent: 1 },
  example: {
    given: '2 fields extracted, one with a quote that occurs in the text',
    cases: [
      fieldsWith([
        { name: 'date', right: 1, exact: 1, given: 1, wanted: 1, quote: { state: 'verified', at: [0, 12] } },
        { name: 'total', right: 1, exact: 1, given: 1, wanted: 1 },
      ]),
    ],
    value: 0.5,
  },
  compute: (cases) =>
    shareOverFields(
      cases,
      ({ quote }) => (quote.state === 'verified' ? 1 : 0),
      ({ given }) => (given > 0 ? 1 : 0),
      'no fields were extracted',
    ),
};
