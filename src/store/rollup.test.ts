import { expect, it } from 'vitest';
import { Q_BINS, quantileOfBins } from './rollup.ts';
import { shareOf } from './testing/model.ts';
import { session } from './testing/records.ts';
import { startOfBucket } from './time-bucket.ts';

it('knows a quantile to half a bin', () => {
  const qs = Array.from({ length: 999 }, (_, i) => ((i * 7919) % 1000) / 1000).sort((a, b) => a - b);
  const counts = new Array<number>(Q_BINS).fill(0);
  for (const q of qs) {
    const bin = shareOf(session('a', '1', { q })).bins[0] ?? 0;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  for (const share of [0, 0.1, 0.25, 0.5, 0.9, 1]) {
    const exact = qs[Math.round(share * (qs.length - 1))] ?? 0;
    expect(Math.abs((quantileOfBins(counts, share) ?? 0) - exact)).toBeLessThan(0.005 / 2 + 0.001);
  }
  expect(quantileOfBins(new Array<number>(Q_BINS).fill(0), 0.5)).toBeUndefined();
});

it('begins hours, days, weeks on Monday and months on the first', () => {
  expect(startOfBucket('hour', '2026-11-18T22:45:01.002Z')).toBe('2026-11-18T22:00:00.000Z');
  expect(startOfBucket('day', '2026-11-18')).toBe('2026-11-18T00:00:00.000Z');
  // The first of January 1970 was a Thursday.
  expect(startOfBucket('week', '1970-01-01')).toBe('1969-12-29T00:00:00.000Z');
  expect(startOfBucket('week', '2026-11-16T00:00:00.000Z')).toBe('2026-11-16T00:00:00.000Z');
  expect(startOfBucket('week', '2026-11-22T23:59:59.999Z')).toBe('2026-11-16T00:00:00.000Z');
  expect(startOfBucket('month', '0050-02')).toBe('0050-02-01T00:00:00.000Z');
});
