import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signFlip } from './sign-flip.ts';

const TWENTY = [
  0.5, 0.2, -0.3, 0.7, 0.1, -0.4, 0.6, 0.3, -0.1, 0.2, 0.5, -0.2, 0.4, 0.1, -0.6, 0.3, 0.2, -0.1, 0.8, 0.1,
];

describe('signFlip', () => {
  // scipy 1.17.1: permutation_test((d,), np.mean, permutation_type='samples', n_resamples=np.inf).
  it.each([
    [[1, 2, 3, -1], 1.25, 0.375],
    [[0.5, 0.5, -0.5, 1, 0, 0.5, 1, 0, 0.5], 0.3888888888888889, 0.09375],
    [[1, 2, -1, 1, 3, -2, 1, 2, 0, 1, 1, 3].map((third) => third / 3), 0.3333333333333333, 0.0634765625],
  ])('is the exact p of scipy 1.17.1: scipy.stats.permutation_test for %j', (differences, centre, p) => {
    const result = signFlip(differences);
    expect(result?.meanDifference).toBeCloseTo(centre, 15);
    expect(result?.p).toBe(p);
    expect(result?.method).toBe('exact');
  });

  it('flips whole clusters (numpy 2.4.6: all 2⁶ signs of the sums 1, −0.5, 1.5, 0.5, −0.5, 1)', () => {
    const differences = [0.5, 0.5, -0.5, 0, 1, 0.5, 0.5, 0, -0.5, 1];
    const result = signFlip(differences, { clusters: [0, 0, 1, 1, 2, 2, 3, 4, 4, 5] });
    expect(result).toEqual({
      meanDifference: 0.3,
      p: 0.28125,
      n: 10,
      flippable: 6,
      method: 'exact',
      smallestP: 2 / 64,
    });
  });

  it('samples above 15 and lands near the exact p (numpy 2.4.6: 0.07042 over all 2²⁰ signs)', () => {
    const result = signFlip(TWENTY);
    expect(result?.method).toBe('sampled');
    expect(result?.smallestP).toBe(1 / 10_001);
    // The standard error of 0.0704 over 10,000 flips is 0.0026.
    expect(Math.abs((result?.p ?? NaN) - 0.07042312622070312)).toBeLessThan(0.01);
    expect(signFlip(TWENTY)).toEqual(result);
    expect(signFlip(TWENTY, { seed: 2 })?.p).not.toBe(result?.p);
  });

  it('counts a tie as a tie although thirds are rounded', () => {
    expect(signFlip([1 / 3, 1 / 3, 1 / 3, -1])?.p).toBe(1);
    expect(signFlip([0.1, 0.2, -0.3])?.p).toBe(1);
  });

  it('leaves zeros out of what can flip: 20 differences of which 3 are not 0 are tried exactly', () => {
    const result = signFlip([...new Array(17).fill(0), 1, 1, 1]);
    expect(result).toMatchObject({ n: 20, flippable: 3, method: 'exact', p: 0.25, smallestP: 0.25 });
  });

  it('never says 0: the real outcome is one of the flips', () => {
    expect(signFlip(new Array(40).fill(1))?.p).toBe(1 / 10_001);
  });

  it('is 1 when nothing differs and has no value without differences', () => {
    expect(signFlip([0, 0])).toMatchObject({ p: 1, smallestP: 1 });
    expect(signFlip([])).toBeUndefined();
  });

  it('refuses NaN, no flips and clusters that do not fit', () => {
    expect(() => signFlip([NaN])).toThrow(RangeError);
    expect(() => signFlip([1], { flips: 0 })).toThrow(RangeError);
    expect(() => signFlip([1, 2], { clusters: ['a'] })).toThrow(RangeError);
  });

  it('ignores the order and which side is which, and is never below its smallest p', () => {
    const differences = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(differences, (list) => {
        const thirds = list.map((value) => value / 3);
        const result = signFlip(thirds, { flips: 200 });
        expect(signFlip(thirds.toReversed(), { flips: 200 })).toEqual(result);
        expect(
          signFlip(
            thirds.map((value) => -value),
            { flips: 200 },
          )?.p,
        ).toBe(result?.p);
        expect(result?.p).toBeGreaterThanOrEqual(result?.smallestP ?? NaN);
        expect(result?.p).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });
});
