import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signFlip } from './sign-flip.ts';
import { signFlipInterval } from './sign-flip-interval.ts';

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
