/** Hours, days, weeks and months of a time as it is stored, UTC. */
import type { Bucket } from './rollup.ts';

const DAY_MS = 86_400_000;
/** The first of January 1970 was a Thursday; weeks begin on Monday. */
const DAYS_TO_MONDAY = 3;

/** When the bucket of a time begins. Of an hour the first 13 characters are enough, of a day 10, of a month 7. */
export function startOfBucket(bucket: Bucket, time: string): string {
  switch (bucket) {
    case 'hour':
      return `${time.slice(0, 13)}:00:00.000Z`;
    case 'day':
      return `${time.slice(0, 10)}T00:00:00.000Z`;
    case 'week': {
      const day = Math.floor(Date.parse(time.slice(0, 10)) / DAY_MS) + DAYS_TO_MONDAY;
      return new Date((Math.floor(day / 7) * 7 - DAYS_TO_MONDAY) * DAY_MS).toISOString();
    }
    case 'month':
      return `${time.slice(0, 7)}-01T00:00:00.000Z`;
  }
}
