/** A length of time that somebody typed. */
import { AssayError } from '../../errors.ts';
import type { Arguments } from '../command.ts';
import { textOf } from '../text-of.ts';

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of `90s`, `15m` or `2h`; of `otherwise` minutes when nothing was typed. */
export function minutesOf(args: Arguments, option: string, otherwise: number): number {
  const text = textOf(args, option);
  if (text === undefined) return otherwise * UNITS.m;
  const [, number, unit] = /^(\d{1,6}(?:\.\d+)?)([smh])$/.exec(text) ?? [];
  const ms = Number(number) * (UNITS[unit as keyof typeof UNITS] ?? Number.NaN);
  if (!(ms > 0)) throw new AssayError('USAGE', `--${option} is a time like 90s, 15m or 2h, not "${text}"`);
  return ms;
}
