import { describe, expect, it } from 'vitest';
import { bcaInterval } from './bca-interval.ts';
import { REPLICATES } from './testing/replicates.ts';

describe('bcaInterval', () => {
  // scipy 1.17.1: bootstrap((data,), statistic, n_resamples=0, bootstrap_result=…, method='BCa') on fixed replicates
  // of median + mean of 1, 2, 2, 3, 5, 8, 13.
  const replicates = Float64Array.from(REPLICATES);
  const estimate = 3 + 34 / 7;
  const jackknife = Float64Array.of(9.5, 28 / 3, 28 / 3, 26 / 3, 22 / 3, 41 / 6, 6);

  it('is that of scipy 1.17.1 at 95% and at 90%', () => {
    expect(bcaInterval(replicates, estimate, jackknife, 0.95)).toEqual({
      low: expect.closeTo(5.943251602861433, 10),
      high: expect.closeTo(13.012268851832019, 10),
    });
    expect(bcaInterval(replicates, estimate, jackknife, 0.9)).toEqual({
      low: expect.closeTo(6.077150860665921, 10),
      high: expect.closeTo(11.296809997194268, 10),
    });
  });

  it('is the worked value (numpy and scipy.stats.norm, by the formula)', () => {
    const even = Float64Array.from({ length: 101 }, (_, i) => i);
    expect(bcaInterval(even, 45, Float64Array.of(44, 45, 47), 0.95)).toEqual({
      low: expect.closeTo(0.8617903501351067, 10),
      high: expect.closeTo(94.46639970179437, 10),
    });
  });

  it('is the percentile interval when nothing is skewed', () => {
    const even = Float64Array.from({ length: 101 }, (_, i) => i);
    const interval = bcaInterval(even, 50, Float64Array.of(49, 50, 51), 0.95);
    expect(interval?.low).toBeCloseTo(2.5, 10);
    expect(interval?.high).toBeCloseTo(97.5, 10);
  });

  it('has no value when all replicates lie on one side or no unit matters', () => {
    expect(bcaInterval(replicates, 100, jackknife, 0.95)).toBeUndefined();
    expect(bcaInterval(replicates, 0, jackknife, 0.95)).toBeUndefined();
    expect(bcaInterval(replicates, 8, Float64Array.of(1, 1, 1), 0.95)).toBeUndefined();
  });
});
