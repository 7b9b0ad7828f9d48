import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean } from './mean.ts';

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

  it('has no value without values', () => {
    expect(mean([])).toBeUndefined();
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
