import type { Options } from '../command.ts';

/** How a comparison is judged. */
export const COMPARE_OPTIONS: Options = {
  approve: {
    type: 'string',
    value: 'REASON',
    doc: 'Let a regression of the overall score through; who, when and why are kept',
  },
  reason: {
    type: 'string',
    value: 'WHY',
    doc: 'Why metrics fell by one to five points; kept like an approval',
  },
  insist: { type: 'boolean', doc: 'Compare although golden cases or scorer differ' },
};
