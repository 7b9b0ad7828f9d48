/** What the commands of the blind evaluation have in common. */

import { AssayError } from '../../errors.ts';
import {
  ALL_OPTION,
  type Arguments,
  DOCUMENT_FORMAT_OPTION,
  type Options,
  type Terminal,
} from '../command.ts';

export const FOLDER = { usage: '[FOLDER]', max: 1 };

export function folderOf({ positionals }: Pick<Arguments, 'positionals'>): string {
  return positionals[0] ?? 'blind';
}

export const BY_OPTION = {
  by: { type: 'text', value: 'NAME', doc: 'Name of the evaluator (default: your user name)' },
} as const satisfies Options;

export const STEP_OPTIONS = {
  ...BY_OPTION,
  file: {
    type: 'path',
    value: 'FILE',
    doc: 'Answers as JSON; without it the questions are shown or asked',
  },
  interactive: { type: 'flag', doc: 'Ask one by one, even when the input is not a terminal' },
  list: { type: 'flag', doc: 'Only show open questions' },
  format: DOCUMENT_FORMAT_OPTION,
  all: ALL_OPTION,
} as const satisfies Options;

type ByArguments = { readonly values: { readonly by?: string } };

/** The person who starts an evaluation judges nothing, so a name is optional. */
export function starterOf(args: ByArguments, terminal: Terminal): string {
  const { by } = args.values;
  const { USER, USERNAME = '' } = terminal.env;
  return by === undefined && (USER ?? USERNAME).trim() === '' ? 'unnamed' : evaluatorNameOf(args, terminal);
}

/** Names end up in the chain and in run files, where they are one line. */
export function evaluatorNameOf(args: ByArguments, { env }: Terminal): string {
  const { by } = args.values;
  const name = (by ?? env.USER ?? env.USERNAME ?? '').trim().normalize('NFC');
  if (name === '')
    throw new AssayError('USAGE', 'the name of the evaluator is missing', {
      remedy: 'Give it, e.g. --by ana.',
    });
  if (name.length > 200 || /\p{Cc}/u.test(name)) {
    throw new AssayError('USAGE', '--by takes one line of at most 200 characters');
  }
  return name;
}

/** Names as the chain has them, each once. */
export function namesIn(names: readonly string[] = []): string[] {
  return [...new Set(names.map((name) => name.normalize('NFC')))];
}
