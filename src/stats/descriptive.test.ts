import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean, median, quantile, sampleSd, sdOfMoments } from './descriptive.ts';

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });

describe('mean', () => {
  it('is the worked value', () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(mean(Float64Array.of(1, 2, 6))).toBe(3);
  });

  it('sums exactly, as Python 3.11: statistics.fmean', () => {
    expect(mean([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])).toBe(0.39999999999999997);
    expect(mean(new Array(10).fill(0.1))).toBe(0.1);
    // A plain sum loses the 1.
    expect(mean([1e16, 1, -1e16])).toBe(1 / 3);
  });

  it('does not overflow where the sum does', () => {
    expect(mean([1.5e308, 1.5e308])).toBe(1.5e308);
  });

  it('refuses NaN instead of skipping it', () => {
    expect(() => mean([1, NaN])).toThrow(RangeError);
  });

  it('does not depend on the order, to the last digit', () => {
    fc.assert(fc.property(values, (sample) => mean(sample.toReversed()) === mean(sample)));
    fc.assert(fc.property(values, (sample) => mean(sample.toSorted((a, b) => a - b)) === mean(sample)));
  });
});

const samples = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2 });

describe('sampleSd', () => {
  it('is that of R 4.2.2: sd(c(2, 4, 4, 4, 5, 5, 7, 9))', () => {
    expect(sampleSd([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.138089935299395, 15);
  });

  it('keeps its digits far from 0, where a sum of squares loses them', () => {
    expect(sampleSd([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])).toBeCloseTo(Math.sqrt(30), 12);
  });

  it('is exactly 0 for equal values', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 2, max: 20 }),
        (value, n) => {
          expect(sampleSd(new Array(n).fill(value))).toBe(0);
        },
      ),
    );
  });

  it('has no value for fewer than two values', () => {
    expect(sampleSd([])).toBeUndefined();
    expect(sampleSd([3])).toBeUndefined();
  });

  it('does not depend on the order, to the last digit', () => {
    fc.assert(fc.property(samples, (sample) => sampleSd(sample.toReversed()) === sampleSd(sample)));
  });
});

it('gives the spread of values from their sums', () => {
  expect(sdOfMoments({ n: 8, sum: 40, sumOfSquares: 232 })).toBeCloseTo(Math.sqrt(32 / 7), 12);
  expect(sdOfMoments({ n: 1, sum: 1, sumOfSquares: 1 })).toBeUndefined();
  // Rounding may leave a difference below 0 where there is no spread.
  expect(sdOfMoments({ n: 3, sum: 0.3, sumOfSquares: 0.029999999 })).toBe(0);
});

it('agrees with the values themselves', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(share, { minLength: 2, maxLength: 200 }), (values) => {
      const sum = values.reduce((a, b) => a + b, 0);
      const sumOfSquares = values.reduce((a, b) => a + b * b, 0);
      expect(sdOfMoments({ n: values.length, sum, sumOfSquares })).toBeCloseTo(sampleSd(values) ?? 0, 6);
    }),
  );
});

describe('quantile', () => {
  const sample = [20, 3, 6, 16, 7, 8, 15, 8, 9, 13, 10];

  it.each([
    [0, 3],
    [0.1, 6],
    [0.25, 7.5],
    [0.5, 9],
    [0.9, 16],
    [1, 20],
  ])('at %f is that of R 4.2.2: quantile(x, p), type 7', (p, expected) => {
    expect(quantile(sample, p)).toBe(expected);
  });

  it('has no value without values', () => {
    expect(quantile([], 0.5)).toBeUndefined();
  });

  it('refuses a share outside 0–1 and NaN in the sample', () => {
    expect(() => quantile([1], 50)).toThrow(RangeError);
    expect(() => quantile([NaN], 0.5)).toThrow(RangeError);
  });

  it('lies within the sample and never falls as p rises', () => {
    const values = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(values, share, share, (list, a, b) => {
        const low = quantile(list, Math.min(a, b)) as number;
        const high = quantile(list, Math.max(a, b)) as number;
        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(Math.min(...list));
        expect(high).toBeLessThanOrEqual(Math.max(...list));
      }),
    );
  });
});

describe('median', () => {
  it('is the middle value, or the mean of the two (R 4.2.2: median(c(9, 1, 3, 2)) is 2.5)', () => {
    expect(median([9, 1, 3])).toBe(3);
    expect(median([9, 1, 3, 2])).toBe(2.5);
  });
});
