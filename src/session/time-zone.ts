/** Days in the user's time zone, by its IANA name; UTC by default. */

export const UTC = 'UTC';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, made);
  return made;
}

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The offset of the zone from UTC at that time, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  if (zone === UTC) return 0;
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = [
    'year',
    'month',
    'day',
    'hour',
    'minute',
    'second',
  ].map((name) => parts.get(name as Intl.DateTimeFormatPartTypes));
  const seconds = Math.floor(at / 1000) * 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - seconds;
}

/** `2026-11-14`; undefined when the time is unknown or the year does not have four digits. */
export function dayIn(at: number | undefined, zone: string = UTC): string | undefined {
  return at === undefined || isoTime(at) === undefined
    ? undefined
    : isoTime(at + offsetAt(at, zone))?.slice(0, 10);
}

/** The Monday that its week begins with. */
export function weekIn(at: number | undefined, zone: string = UTC): string | undefined {
  const day = dayIn(at, zone);
  if (day === undefined) return undefined;
  const start = Date.parse(day);
  return isoTime(start - ((new Date(start).getUTCDay() + 6) % 7) * DAY_MS)?.slice(0, 10);
}

/** The start of a day of the zone; `day` is a date such as `2026-11-14`. */
export function startOfDay(day: string, zone: string = UTC): number {
  const asUtc = Date.parse(day);
  // Near a clock change, the guess may have the offset of the other side: the second lookup corrects it.
  const guess = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(guess, zone);
}

/** The zone differs from UTC by whole hours, so hours of UTC are hours of the zone. */
export function hasWholeHours(zone: string): boolean {
  const halves = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
  return halves.every((at) => offsetAt(at, zone) % HOUR_MS === 0);
}

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Undefined outside the years of four digits: others have another form and would sort wrongly as text. */
export function isoTime(at: number | undefined): string | undefined {
  return at !== undefined && at >= FIRST && at <= LAST ? new Date(at).toISOString() : undefined;
}
