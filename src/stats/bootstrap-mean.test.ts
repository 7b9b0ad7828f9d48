import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrap } from './bootstrap.ts';
import { bootstrapMean } from './bootstrap-mean.ts';
import { mean } from './mean.ts';

const credits = fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 2, maxLength: 30 });

describe('bootstrapMean', () => {
  it('is the worked value', () => {
    const result = bootstrapMean([0, 0.5, 1, 1, 0.5, 1, 0, 1]);
    expect(result).toEqual({
      estimate: 0.625,
      interval: { low: 0.3125, high: 0.875 },
      n: 8,
      resamples: 2000,
    });
  });

  it('is what the general bootstrap of the mean gives for sorted values, by both methods', () => {
    fc.assert(
      fc.property(credits, fc.constantFrom('bca' as const, 'percentile' as const), (values, method) => {
        const fast = bootstrapMean(values, { resamples: 200, method });
        const slow = bootstrap(
          values.toSorted((a, b) => a - b),
          mean,
          { resamples: 200, method },
        );
        expect(fast === undefined).toBe(slow === undefined);
        if (!fast || !slow) return;
        expect(fast.interval.low).toBeCloseTo(slow.interval.low, 10);
        expect(fast.interval.high).toBeCloseTo(slow.interval.high, 10);
      }),
      { numRuns: 40 },
    );
  });

  it('does not depend on the order, with and without clusters', () => {
    const units = fc.array(fc.tuple(fc.constantFrom(0, 0.5, 1), fc.constantFrom('a', 'b', 'c', 'd')), {
      minLength: 2,
      maxLength: 20,
    });
    fc.assert(
      fc.property(units, (list) => {
        const run = (order: typeof list, clustered: boolean) =>
          bootstrapMean(
            order.map((unit) => unit[0]),
            { resamples: 100, ...(clustered && { clusters: order.map((unit) => unit[1]) }) },
          );
        expect(run(list.toReversed(), false)).toEqual(run(list, false));
        expect(run(list.toReversed(), true)).toEqual(run(list, true));
      }),
      { numRuns: 50 },
    );
  });

  it('contains the estimate by percentile unless the sample is tiny', () => {
    const values = [0, 0.5, 1, 1, 0.5, 1, 0, 1, 1, 0.5, 0, 1];
    const result = bootstrapMean(values, { method: 'percentile' });
    expect(result?.interval.low).toBeLessThan(result?.estimate ?? NaN);
    expect(result?.interval.high).toBeGreaterThan(result?.estimate ?? NaN);
  });

  // numpy 2.4.6, 400,000 resamples of the same units and clusters. The ends move in steps of about 0.03.
  it('is wider for clusters of alike items, as numpy finds', () => {
    const values = [1, 1, 0.5, 0, 0, 0.5, 1, 1, 1, 0.5, 0, 0, 0, 1, 0.5, 1];
    const clusters = [0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 7];
    const options = { method: 'percentile', resamples: 20_000 } as const;
    const units = bootstrapMean(values, options);
    const clustered = bootstrapMean(values, { ...options, clusters });
    expect(units?.n).toBe(16);
    expect(clustered?.n).toBe(8);
    expect(units?.interval.low).toBeCloseTo(0.34375, 1);
    expect(units?.interval.high).toBeCloseTo(0.78125, 1);
    expect(clustered?.interval.low).toBeCloseTo(0.28125, 1);
    expect(clustered?.interval.high).toBeCloseTo(0.8214285714285714, 1);
  });

  it('has no value for one unit, one cluster or identical units', () => {
    expect(bootstrapMean([])).toBeUndefined();
    expect(bootstrapMean([1])).toBeUndefined();
    expect(bootstrapMean([0, 1, 1], { clusters: ['a', 'a', 'a'] })).toBeUndefined();
    expect(bootstrapMean([0.1, 0.1, 0.1, 0.1])).toBeUndefined();
    expect(bootstrapMean([0.1, 0.1, 0.1, 0.1, 0.1], { clusters: [1, 1, 1, 2, 2] })).toBeUndefined();
  });
});
