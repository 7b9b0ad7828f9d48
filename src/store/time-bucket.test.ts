import { expect, it } from 'vitest';
import { startOfBucket } from './time-bucket.ts';

it('begins hours, days, weeks on Monday and months on the first', () => {
  expect(startOfBucket('hour', '2026-11-18T22:45:01.002Z')).toBe('2026-11-18T22:00:00.000Z');
  expect(startOfBucket('day', '2026-11-18')).toBe('2026-11-18T00:00:00.000Z');
  // The first of January 1970 was a Thursday.
  expect(startOfBucket('week', '1970-01-01')).toBe('1969-12-29T00:00:00.000Z');
  expect(startOfBucket('week', '2026-11-16T00:00:00.000Z')).toBe('2026-11-16T00:00:00.000Z');
  expect(startOfBucket('week', '2026-11-22T23:59:59.999Z')).toBe('2026-11-16T00:00:00.000Z');
  expect(startOfBucket('month', '0050-02')).toBe('0050-02-01T00:00:00.000Z');
});
