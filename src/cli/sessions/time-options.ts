/** Times given as options. */
import { AssayError } from '../../errors.ts';
import { TIME_ZONES } from '../../operations/session/session-request.ts';
import type { Arguments } from '../command.ts';
import { textOf } from '../text-of.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

const UNIT_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** That of this machine unless told; ccusage and calendars do the same. */
export function timezoneOf(args: Arguments): string {
  const text = textOf(args, 'timezone');
  if (text === undefined) return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (TIME_ZONES.isTimeZone(text)) return /^(utc|gmt|z)$/i.test(text) ? 'UTC' : text;
  throw new AssayError('USAGE', `--timezone: there is no zone "${text}"`, {
    remedy: 'Zones go by names such as Europe/Berlin, America/New_York or UTC.',
  });
}

/** `7d`, `24h`, `2w` back from now, or a date or time in ISO 8601. */
export function sinceOption(args: Arguments, now: number): number | undefined {
  const text = textOf(args, 'since');
  if (text === undefined) return undefined;
  const at = backFrom(text, now) ?? dateOf(text, timezoneOf(args));
  if (at === undefined) throw new AssayError('USAGE', `--since is a date or 7d, 24h, 2w, not "${text}"`);
  return at;
}

export function untilOption(args: Arguments, now: number): number {
  const text = textOf(args, 'until');
  if (text === undefined) return now;
  const at = dateOf(text, timezoneOf(args));
  if (at === undefined)
    throw new AssayError('USAGE', `--until is a date or time such as 2026-11-12, not "${text}"`);
  return at;
}

/** The end of what is looked at: a date alone means all of its day. */
export function beforeOption(args: Arguments, now: number): number | undefined {
  const text = textOf(args, 'until');
  if (text === undefined) return undefined;
  const back = backFrom(text, now);
  const zone = timezoneOf(args);
  const at = back ?? dateOf(text, zone);
  if (at === undefined) throw new AssayError('USAGE', `--until is a date or 7d, 24h, 2w, not "${text}"`);
  // A day may have 23 or 25 hours.
  return DAY.test(text) ? TIME_ZONES.startOfDay(nextDay(text), zone) : at;
}

function backFrom(text: string, now: number): number | undefined {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  return count === undefined ? undefined : now - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

function nextDay(text: string): string {
  return new Date(Date.parse(text) + UNIT_MS.d).toISOString().slice(0, 10);
}

function dateOf(text: string, zone: string): number | undefined {
  if (DAY.test(text) && !Number.isNaN(Date.parse(text))) return TIME_ZONES.startOfDay(text, zone);
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
