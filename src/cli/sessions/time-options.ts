/** Times given as options. */
import { AssayError } from '../../errors.ts';
import type { Arguments } from '../command.ts';
import { textOf } from '../text-of.ts';

const UNIT_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** `7d`, `24h`, `2w` back from now, or a date or time in ISO 8601. */
export function sinceOption(args: Arguments, now: number): number | undefined {
  const text = textOf(args, 'since');
  if (text === undefined) return undefined;
  const at = backFrom(text, now) ?? dateOf(text);
  if (at === undefined) throw new AssayError('USAGE', `--since is a date or 7d, 24h, 2w, not "${text}"`);
  return at;
}

export function untilOption(args: Arguments, now: number): number {
  const text = textOf(args, 'until');
  if (text === undefined) return now;
  const at = dateOf(text);
  if (at === undefined)
    throw new AssayError('USAGE', `--until is a date or time such as 2026-11-12, not "${text}"`);
  return at;
}

/** The end of what is looked at: a date alone means all of its day. */
export function beforeOption(args: Arguments, now: number): number | undefined {
  const text = textOf(args, 'until');
  if (text === undefined) return undefined;
  const back = backFrom(text, now);
  const at = back ?? dateOf(text);
  if (at === undefined) throw new AssayError('USAGE', `--until is a date or 7d, 24h, 2w, not "${text}"`);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? at + UNIT_MS.d : at;
}

function backFrom(text: string, now: number): number | undefined {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  return count === undefined ? undefined : now - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

function dateOf(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
