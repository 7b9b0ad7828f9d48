/** A time of each day, or of some days, without deliveries. */
export type QuietPeriod = {
  /** `HH:MM`. Where it ends before it begins, it ends on the next day; where both are the same, it is the whole day. */
  readonly from: string;
  readonly until: string;
  /** The days on which it begins, `mon` to `sun`; without any, each day. */
  readonly days?: readonly string[] | undefined;
  readonly timeZone: string;
  /** Whether critical alerts wait as well. */
  readonly critical: boolean;
};

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const DAY_MINUTES = 1440;

export function isQuiet(
  periods: readonly QuietPeriod[],
  severity: 'warning' | 'critical',
  now: Date,
): boolean {
  return periods.some((period) => (severity === 'warning' || period.critical) && isIn(period, now));
}

function isIn({ from, until, days, timeZone }: QuietPeriod, now: Date): boolean {
  const { day, minute } = wallClock(now, timeZone);
  const start = minuteOf(from);
  const length = (minuteOf(until) - start + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const isToday = minute >= start && minute < start + length;
  const sinceYesterday = minute + DAY_MINUTES - start;
  return (
    (isToday && mayBegin(day, days)) ||
    (minute < start && sinceYesterday < length && mayBegin((day + 6) % 7, days))
  );
}

function mayBegin(day: number, days: readonly string[] = []): boolean {
  return days.length === 0 || days.includes(DAYS[day] ?? '');
}

function minuteOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return 60 * hours + minutes;
}

function wallClock(now: Date, timeZone: string): { readonly day: number; readonly minute: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const day = (DAYS as readonly string[]).indexOf(of('weekday').slice(0, 3).toLowerCase());
  return { day, minute: 60 * Number(of('hour')) + Number(of('minute')) };
}
