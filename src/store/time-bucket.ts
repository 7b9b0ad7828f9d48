/** Points in time as numbers of whole hours, days, weeks or months, UTC, and back. */
import type { Bucket } from './rollup.ts';

/** A `quarter` is that of a day. */
export type TimeGrain = Bucket | 'quarter';

const HOUR_MS = 3_600_000;
const QUARTER_MS = 6 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
/** The first of January 1970 was a Thursday; weeks begin on Monday. */
const DAYS_TO_MONDAY = 3;

export function bucketOf(bucket: TimeGrain, ms: number): number {
  switch (bucket) {
    case 'hour':
      return Math.floor(ms / HOUR_MS);
    case 'quarter':
      return Math.floor(ms / QUARTER_MS);
    case 'day':
      return Math.floor(ms / DAY_MS);
    case 'week':
      return Math.floor((Math.floor(ms / DAY_MS) + DAYS_TO_MONDAY) / 7);
    case 'month': {
      const date = new Date(ms);
      return date.getUTCFullYear() * 12 + date.getUTCMonth();
    }
  }
}

/** When a bucket begins, in milliseconds. */
export function bucketStart(bucket: TimeGrain, number: number): number {
  switch (bucket) {
    case 'hour':
      return number * HOUR_MS;
    case 'quarter':
      return number * QUARTER_MS;
    case 'day':
      return number * DAY_MS;
    case 'week':
      return (number * 7 - DAYS_TO_MONDAY) * DAY_MS;
    case 'month': {
      // Date.UTC takes the years 0 to 99 for those of the last century.
      const date = new Date(0);
      date.setUTCFullYear(Math.floor(number / 12), ((number % 12) + 12) % 12, 1);
      return date.getTime();
    }
  }
}
