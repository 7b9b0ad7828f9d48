import { DOCUMENT_FORMATS, FORMATS } from '../report/format.ts';
import type { Option } from './command.ts';

/** How a command prints a result of which one table has it all. */
export const FORMAT_OPTION = formatOption(['json', 'jsonl', 'csv']);

/** The same for results that are more than one table. */
export const DOCUMENT_FORMAT_OPTION = formatOption(['json']);

/** The same for runs that CI reads too. */
export const RUN_FORMAT_OPTION: Option = {
  ...formatOption([]),
  choices: FORMATS,
  doc: 'How to print the result',
};

export const ALL_OPTION: Option = { type: 'boolean', doc: 'Show every row of long tables' };

function formatOption(data: readonly string[]): Option {
  const [first, ...rest] = DOCUMENT_FORMATS;
  return { type: 'string', choices: [first, ...data, ...rest], default: first, doc: 'How to print it' };
}
