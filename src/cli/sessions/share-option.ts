import { AssayError } from '../../errors.ts';
import type { Arguments } from '../command.ts';
import { textOf } from '../text-of.ts';

/** A share of 0 to 1 given as an option. */
export function shareOption(args: Arguments, name: string): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new AssayError('USAGE', `--${name} is a number from 0 to 1, not "${text}"`);
  }
  return value;
}
