import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bcaInterval,
  bootstrap,
  bootstrapInterval,
  bootstrapMean,
  bootstrapNested,
  groupByCluster,
  percentileInterval,
} from './bootstrap.ts';
import { mean, median } from './descriptive.ts';
import { REPLICATES } from './testing/replicates.ts';

describe('groupByCluster', () => {
  it('does not take 1 and "1" for the same cluster', () => {
    expect(groupByCluster(3, [1, '1', 1])).toEqual([[0, 2], [1]]);
  });

  it('refuses a list of clusters that does not fit', () => {
    expect(() => groupByCluster(3, ['a'])).toThrow(RangeError);
  });
});

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

  it('has no value when all replicates lie on one side or no unit matters', () => {
    expect(bcaInterval(replicates, 100, jackknife, 0.95)).toBeUndefined();
    expect(bcaInterval(replicates, 0, jackknife, 0.95)).toBeUndefined();
    expect(bcaInterval(replicates, 8, Float64Array.of(1, 1, 1), 0.95)).toBeUndefined();
  });
});

describe('percentileInterval', () => {
  it('is that of scipy 1.17.1: bootstrap(method="percentile") given these replicates', () => {
    const interval = percentileInterval(Float64Array.from(REPLICATES), 0.95);
    expect(interval?.low).toBeCloseTo(5.9428, 12);
    expect(interval?.high).toBeCloseTo(12.999799999999995, 12);
  });
});

const values = Float64Array.from({ length: 101 }, (_, i) => i);
const jackknife = () => Float64Array.of(49, 50, 51);

describe('bootstrapInterval', () => {
  const drawn = { estimate: 45, n: 3, drawn: 101, values, jackknife };

  it('says nothing when most resamples had no value, or when they differ by rounding alone', () => {
    expect(bootstrapInterval({ ...drawn, drawn: 203 }, {})).toBeUndefined();
    expect(bootstrapInterval({ ...drawn, drawn: 202 }, {})).toBeDefined();
    const same = { ...drawn, estimate: 0.3, drawn: 3, values: Float64Array.of(0.1 + 0.2, 0.3, 0.3) };
    expect(bootstrapInterval(same, { method: 'percentile' })).toBeUndefined();
  });

  it('takes the method asked for; BCa needs a jackknife', () => {
    expect(bootstrapInterval(drawn, {})?.interval.low).toBeLessThan(2.5);
    const without = { ...drawn, jackknife: () => undefined };
    expect(bootstrapInterval(without, {})).toBeUndefined();
    expect(bootstrapInterval(without, { method: 'percentile' })?.interval.low).toBeCloseTo(2.5, 10);
  });

  it('refuses a confidence of 95', () => {
    expect(() =>
      bootstrapInterval({ estimate: 50, n: 3, drawn: 101, values, jackknife }, { confidence: 95 }),
    ).toThrow(RangeError);
  });
});

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

it('sees what repeats differ by, where all groups have the same mean', () => {
  const groups = Array.from({ length: 5 }, () => [1, 0.5]);
  expect(bootstrapMean(groups.map(() => 0.75))).toBeUndefined();
  const { estimate, interval } = bootstrapNested(groups) ?? {};
  expect(estimate).toBe(0.75);
  // Ten draws of 1 or 0.5: standard error 0.25 / √10 = 0.079, so about 0.75 ± 0.155.
  expect(interval?.low).toBeCloseTo(0.6, 6);
  expect(interval?.high).toBeCloseTo(0.9, 6);
});

it('is close to the plain bootstrap where repeats agree', () => {
  const values = [0.2, 0.4, 0.5, 0.6, 0.7, 0.9];
  const plain = bootstrapMean(values, { method: 'percentile' })?.interval;
  const nested = bootstrapNested(values.map((value) => [value, value]))?.interval;
  expect(nested?.low).toBeCloseTo(plain?.low ?? Number.NaN, 1);
  expect(nested?.high).toBeCloseTo(plain?.high ?? Number.NaN, 1);
});

it('draws from one group alone, and says nothing of none or of equal values', () => {
  expect(bootstrapNested([[1, 0, 1, 0, 1, 1]])?.interval).toBeDefined();
  expect(bootstrapNested([])).toBeUndefined();
  expect(bootstrapNested([[]])).toBeUndefined();
  expect(bootstrapNested([[1, 1], [1]])).toBeUndefined();
});

it('does not depend on the order of groups or of values', () => {
  const one = bootstrapNested([
    [1, 0, 0.5],
    [0.2, 0.9],
    [0.2, 0.3],
  ]);
  const other = bootstrapNested([
    [0.3, 0.2],
    [0.5, 1, 0],
    [0.9, 0.2],
  ]);
  expect(other).toEqual(one);
});
