import { AssayError } from '../../errors.ts';
import type { Arguments } from '../command.ts';
import { textOf } from '../text-of.ts';

/** The same where an empty text means nothing. */
export function filledText(args: Arguments, name: string): string | undefined {
  const value = textOf(args, name);
  if (value === '') throw new AssayError('USAGE', `--${name} needs a value`);
  return value;
}

export type NumberRange = { readonly min: number; readonly max: number; readonly whole?: boolean };

export function numberOf(
  args: Arguments,
  name: string,
  { min, max, whole = false }: NumberRange,
): number | undefined {
  const text = filledText(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? 'a whole number' : 'a number';
  throw new AssayError('USAGE', `--${name} is ${kind} from ${min} to ${max}, not "${text}"`);
}

/** How often each text is extracted. */
export function repeatOf(args: Arguments): number {
  return numberOf(args, 'repeat', { min: 1, max: 1000, whole: true }) ?? 1;
}

/** The first of these options that was given, where another one leaves it nothing to do. */
export function strayOf({ values }: Arguments, names: readonly string[]): string | undefined {
  return names.find((name) => values[name] !== undefined);
}
