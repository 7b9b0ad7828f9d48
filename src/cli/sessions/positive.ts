import { AssayError } from '../../errors.ts';
import type { Arguments } from '../command.ts';
import { textOf } from '../text-of.ts';

/** A count, or an amount of money. */
export function positive(args: Arguments, name: string): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value > 0 && Number.isFinite(value) && (name === 'max-cost' || Number.isInteger(value))) return value;
  throw new AssayError('USAGE', `--${name} is a number above 0, not "${text}"`);
}
