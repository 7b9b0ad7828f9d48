import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrap } from './bootstrap.ts';
import { mean } from './mean.ts';
import { median } from './median.ts';

const SAMPLE = [1, 2, 2, 3, 5, 8, 13, 21, 4, 4, 6, 9];

describe('bootstrap', () => {
  // scipy 1.17.1, 200,000 resamples: bootstrap((x,), np.mean, method='percentile' | 'BCa', rng=1).
  it.each([
    ['percentile', 3.79, 9.917],
    ['bca', 4.167, 10.833],
  ] as const)('by %s comes close to scipy 1.17.1: scipy.stats.bootstrap', (method, low, high) => {
    const result = bootstrap(SAMPLE, mean, { method, resamples: 20_000 });
    expect(result?.estimate).toBe(6.5);
    // The ends wander by about 0.05 at 20,000 resamples.
    expect(Math.abs((result?.interval.low ?? NaN) - low)).toBeLessThan(0.15);
    expect(Math.abs((result?.interval.high ?? NaN) - high)).toBeLessThan(0.2);
  });

  it('gives the same interval for the same seed and another for another', () => {
    const run = (seed: number) => bootstrap(SAMPLE, mean, { seed, resamples: 300 });
    const seeds = fc.integer({ min: 0, max: 4294967295 });
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(run(seed)).toEqual(run(seed));
      }),
      { numRuns: 10 },
    );
    expect(run(1)).not.toEqual(run(2));
  });

  it('draws whole clusters: their units always appear together', () => {
    const units = ['a1', 'a2', 'b1', 'c1', 'c2', 'c3'];
    const clusters = units.map((unit) => unit.charAt(0));
    bootstrap(
      units,
      (drawn) => {
        for (const cluster of ['a', 'b', 'c']) {
          const counts = units
            .filter((unit) => unit.startsWith(cluster))
            .map((unit) => drawn.filter((other) => other === unit).length);
          expect(new Set(counts).size).toBe(1);
        }
        return drawn.length;
      },
      { clusters, resamples: 50 },
    );
  });

  it('leaves out resamples that have no value, and says so', () => {
    const onlyWithTwoKinds = (units: readonly number[]) =>
      new Set(units).size < 2 ? undefined : mean(units);
    const result = bootstrap([0, 1, 1], onlyWithTwoKinds, { method: 'percentile', resamples: 900 });
    // All three draws equal: (1/3)³ + (2/3)³ = 1/3 of the resamples.
    expect(result?.resamples).toBeGreaterThan(540);
    expect(result?.resamples).toBeLessThan(660);
  });

  it('has no value for one unit, one cluster, identical units or a statistic without value', () => {
    expect(bootstrap([1], mean)).toBeUndefined();
    expect(bootstrap([1, 2], mean, { clusters: ['a', 'a'] })).toBeUndefined();
    expect(bootstrap([3, 3, 3], median)).toBeUndefined();
    expect(bootstrap([1, 2, 3], () => undefined)).toBeUndefined();
    expect(bootstrap([1, 2, 3], () => NaN)).toBeUndefined();
  });

  it('refuses no resamples', () => {
    expect(() => bootstrap(SAMPLE, mean, { resamples: 0 })).toThrow(RangeError);
  });
});
