import { AssayError } from '../../errors.ts';
import { LISTED_SHOWN } from '../../session/documents/session-list.ts';
import type { ListGroup } from '../../session/results.ts';
import type { Arguments } from '../command.ts';
import { textOf } from '../text-of.ts';

/** A screen shows some, groups none of their sessions until they are asked for; every other format has them all. */
export function limitOf(args: Arguments, by: ListGroup | undefined): number | undefined {
  const text = textOf(args, 'limit');
  if (text !== undefined) {
    const limit = Number(text);
    if (!Number.isInteger(limit) || limit < 1 || text.trim() === '')
      throw new AssayError('USAGE', `--limit is a whole number from 1 on, not "${text}"`);
    return limit;
  }
  if (args.values.all === true) return undefined;
  if (by !== undefined) return 0;
  return args.values.format === 'table' ? LISTED_SHOWN : undefined;
}
