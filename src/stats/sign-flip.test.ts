import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signFlip, signFlipInterval } from './sign-flip.ts';

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

/** The definition, tried out: is `d` rejected by the test of the differences minus `d`? */
function rejects(differences: readonly number[], clusters: readonly number[], d: number): boolean {
  const shifted = differences.map((value) => value - d);
  return (signFlip(shifted, { clusters })?.p ?? 1) < 0.05;
}

describe('signFlipInterval', () => {
  it('is worked by hand for 1 to 6', () => {
    const result = signFlipInterval([1, 2, 3, 4, 5, 6]);
    expect(result).toMatchObject({ meanDifference: 3.5, p: 2 / 64, units: 6, method: 'exact' });
    expect(result?.interval).toEqual({ low: 1, high: 6 });
  });

  it('holds just the differences that the exact test does not reject', () => {
    const differences = fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 6, maxLength: 10 });
    fc.assert(
      fc.property(differences, (list) => {
        const values = list.map((value) => value / 6);
        const clusters = list.map((_, i) => (i < 2 ? 0 : i));
        const { interval } = signFlipInterval(values, { clusters }) ?? {};
        if (interval === undefined) return;
        const { low, high } = interval;
        for (const inside of [low + 1e-6, high - 1e-6, (low + high) / 2]) {
          if (high - low > 1e-4) expect(rejects(values, clusters, inside)).toBe(false);
        }
        expect(rejects(values, clusters, low - 1e-6)).toBe(true);
        expect(rejects(values, clusters, high + 1e-6)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('never contradicts its p, ignores the order, and turns round with the sides', () => {
    const differences = fc.array(fc.integer({ min: -3, max: 6 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(differences, (list) => {
        const thirds = list.map((value) => value / 3);
        const result = signFlipInterval(thirds, { flips: 300 });
        const { p = 1, interval } = result ?? {};
        if (interval !== undefined) expect(interval.low > 0 || interval.high < 0).toBe(p < 0.05);
        else expect(p).toBeGreaterThanOrEqual(0.05);
        expect(signFlipInterval(thirds.toReversed(), { flips: 300 })).toEqual(result);
        const mirrored = signFlipInterval(
          thirds.map((value) => -value),
          { flips: 300 },
        );
        expect(mirrored?.interval?.low ?? 0).toBeCloseTo(-(interval?.high ?? 0), 12);
      }),
      { numRuns: 100 },
    );
  });

  it('weighs differences: twice the weight is the same difference twice in one cluster', () => {
    const values = [0.5, 1, -0.25, 0.75, 0.5, 1];
    const twice = signFlipInterval([...values, 1], { clusters: [0, 1, 2, 3, 4, 5, 1] });
    const weighed = signFlipInterval(values, { weights: [1, 2, 1, 1, 1, 1] });
    expect(weighed?.p).toBe(twice?.p);
    expect(weighed?.meanDifference).toBeCloseTo(twice?.meanDifference ?? NaN, 12);
    expect(weighed?.interval?.low).toBeCloseTo(twice?.interval?.low ?? NaN, 12);
    expect(() => signFlipInterval(values, { weights: [1, 2] })).toThrow(RangeError);
  });

  it('agrees with the test without an interval where both try everything', () => {
    const values = [0.5, 0.5, -0.5, 1, 0, 0.5, 1, 0, 0.5];
    expect(signFlipInterval(values)?.p).toBe(signFlip(values)?.p);
  });

  it('has no interval where no outcome could be significant, and no value without differences', () => {
    expect(signFlipInterval([1, 1, 1, 1, 1])).toMatchObject({ p: 2 / 32 });
    expect(signFlipInterval([1, 1, 1, 1, 1])?.interval).toBeUndefined();
    expect(signFlipInterval([])).toBeUndefined();
    expect(() => signFlipInterval([1], { alpha: 0 })).toThrow(RangeError);
  });
});
