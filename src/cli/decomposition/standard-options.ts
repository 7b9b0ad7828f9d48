import type { Options } from '../command.ts';

/** What is asked instead of the documented lines. */
export const STANDARD_OPTIONS: Options = {
  min: {
    type: 'string',
    value: 'METRIC=LINE',
    list: true,
    doc: 'Fail below this line, e.g. concept_recall=0.8; may be repeated',
  },
  max: {
    type: 'string',
    value: 'METRIC=LINE',
    list: true,
    doc: 'The same where less is better, e.g. hallucination_rate=0.01',
  },
  'leave-out': {
    type: 'string',
    value: 'METRIC',
    list: true,
    doc: 'Gate and score without it, e.g. provenance_coverage; may be repeated',
  },
  'min-cases': { type: 'string', value: 'N', doc: 'Fewer golden cases are inconclusive (default 5)' },
};
