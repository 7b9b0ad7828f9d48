/** What the commands of the blind evaluation have in common. */
import { AssayError } from '../../errors.ts';
import type { Arguments, Options, Terminal } from '../command.ts';
import { ALL_OPTION, DOCUMENT_FORMAT_OPTION } from '../format-options.ts';

export const FOLDER = { usage: '[FOLDER]', max: 1 };

export function folderOf({ positionals }: Arguments): string {
  return positionals[0] ?? 'blind';
}

export const BY_OPTION: Options = {
  by: { type: 'string', value: 'NAME', doc: 'Who answers (default: your user name)' },
};

export const STEP_OPTIONS: Options = {
  ...BY_OPTION,
  file: {
    type: 'string',
    value: 'FILE',
    doc: 'Answers as JSON; without it the questions are shown or asked',
  },
  interactive: { type: 'boolean', doc: 'Ask one by one, even when the input is not a terminal' },
  list: { type: 'boolean', doc: 'Only show what is to be answered' },
  format: DOCUMENT_FORMAT_OPTION,
  all: ALL_OPTION,
};

/** Who begins an evaluation judges nothing: where no name is known, none is needed. */
export function starterOf(args: Arguments, terminal: Terminal): string {
  const { by } = args.values;
  const known = by ?? terminal.env.USER ?? terminal.env.USERNAME ?? '';
  return String(known).trim() === '' && by === undefined ? 'unnamed' : whoOf(args, terminal);
}

/** Names end up in the chain and in run files, where they are one line. */
export function whoOf(args: Arguments, { env }: Terminal): string {
  const { by } = args.values;
  const name = (typeof by === 'string' ? by : (env.USER ?? env.USERNAME ?? '')).trim().normalize('NFC');
  if (name === '')
    throw new AssayError('USAGE', 'whose name goes into the record?', {
      remedy: 'Say it, e.g. --by ana.',
    });
  if (name.length > 200 || /\p{Cc}/u.test(name)) {
    throw new AssayError('USAGE', '--by is one line of at most 200 characters');
  }
  return name;
}

/** Who answers, where it was said; otherwise it is found out when it is needed. */
export function byOf({ values }: Arguments): string | undefined {
  return typeof values.by === 'string' ? values.by : undefined;
}

/** Several names in one option, with commas between them. */
export function namesOf({ values }: Arguments, option: string): string[] {
  const text = values[option];
  const names = typeof text === 'string' ? text.split(',').map((name) => name.trim().normalize('NFC')) : [];
  return [...new Set(names)].filter((name) => name !== '');
}
