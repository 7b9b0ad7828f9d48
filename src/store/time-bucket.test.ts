import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bucketOf, bucketStart } from './time-bucket.ts';

const BUCKETS = ['hour', 'day', 'week', 'month'] as const;

it.each(BUCKETS)(
  'puts every moment of four-digit years into one %s, which begins at or before it',
  (bucket) =>
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-11-30'), noInvalidDate: true }),
        (date) => {
          const number = bucketOf(bucket, date.getTime());
          expect(bucketStart(bucket, number)).toBeLessThanOrEqual(date.getTime());
          expect(bucketStart(bucket, number + 1)).toBeGreaterThan(date.getTime());
          expect(bucketOf(bucket, bucketStart(bucket, number))).toBe(number);
        },
      ),
    ),
);

it('begins weeks on Monday and months on the first', () => {
  const start = (bucket: (typeof BUCKETS)[number], at: string) =>
    new Date(bucketStart(bucket, bucketOf(bucket, Date.parse(at)))).toISOString().slice(0, 10);
  // The first of January 1970 was a Thursday.
  expect(start('week', '1970-01-01')).toBe('1969-12-29');
  expect(start('week', '2026-11-16')).toBe('2026-11-16');
  expect(start('month', '0050-02-28')).toBe('0050-02-01');
});
