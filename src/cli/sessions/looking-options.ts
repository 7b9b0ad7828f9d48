import type { Options } from '../command.ts';
import { SCORING_OPTIONS } from './options.ts';

/** Of commands that only look, and keep nothing. */
export const LOOKING_OPTIONS: Options = {
  ...SCORING_OPTIONS,
  'from-store': {
    type: 'boolean',
    doc: 'Answer from what the store remembers instead of reading transcripts',
  },
  store: {
    type: 'string',
    value: 'PATH',
    doc: 'Answer from this store, where no PATH is named (default with --from-store: your data folder; in a project with a configuration, the project)',
  },
};
