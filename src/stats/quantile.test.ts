import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantile } from './quantile.ts';

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

  it('interpolates: the worked value', () => {
    expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75);
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
