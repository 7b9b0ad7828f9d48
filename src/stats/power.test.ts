import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimumDetectableEffect, neededN } from './power.ts';

describe('neededN', () => {
  it.each([
    [0.1, 126],
    [0.15, 56],
    [0.2, 32],
  ])(
    'for %f with SD 0.4, paired, is the published %i (R 4.2.2: ((qnorm(.975) + qnorm(.8)) * .4 / d)^2, rounded up)',
    (effect, n) => {
      expect(neededN(0.4, effect)).toBe(n);
      expect(neededN(0.4, -effect)).toBe(n);
    },
  );

  it.each([
    [0.1, 128],
    [0.15, 58],
    [0.2, 34],
  ])(
    'for %f with t is %i (R 4.2.2: power.t.test(delta, sd = .4, power = .8, type = "paired"): 127.5, 57.8, 33.4)',
    (effect, n) => {
      expect(neededN(0.4, effect, { approximation: 't' })).toBe(n);
    },
  );

  it('is per arm for two arms, by t unless told (R 4.2.2: power.t.test(delta = 1 | 0.5, sd = 1): 16.7, 63.8)', () => {
    expect(neededN(1, 1, { design: 'two-arms' })).toBe(17);
    expect(neededN(1, 0.5, { design: 'two-arms' })).toBe(64);
    expect(neededN(1, 1, { design: 'two-arms', approximation: 'normal' })).toBe(16);
  });

  it('is at least 2, and has no value for an effect of 0 or without spread', () => {
    expect(neededN(0.001, 10)).toBe(2);
    expect(neededN(0.4, 0)).toBeUndefined();
    expect(neededN(0, 0.1)).toBeUndefined();
    expect(neededN(1, 1e-200)).toBeUndefined();
  });

  it('is the first n whose detectable effect is small enough', () => {
    const design = fc.constantFrom('paired' as const, 'two-arms' as const);
    const approximation = fc.constantFrom('normal' as const, 't' as const);
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 5, noNaN: true }),
        design,
        approximation,
        (effect, design, approximation) => {
          const options = { design, approximation };
          const n = neededN(1, effect, options) as number;
          expect(minimumDetectableEffect(1, n, options)).toBeLessThanOrEqual(effect * (1 + 1e-9));
          if (n > 2) expect(minimumDetectableEffect(1, n - 1, options)).toBeGreaterThan(effect * (1 - 1e-9));
        },
      ),
    );
  });
});

describe('minimumDetectableEffect', () => {
  it('is that of R 4.2.2: (qnorm(.975) + qnorm(.8)) * 0.4 / sqrt(126)', () => {
    expect(minimumDetectableEffect(0.4, 126)).toBeCloseTo(0.09983401929551496, 14);
  });

  it('takes power and alpha (R 4.2.2: (qnorm(.995) + qnorm(.9)) * 1.3 / sqrt(40))', () => {
    expect(minimumDetectableEffect(1.3, 40, { power: 0.9, alpha: 0.01 })).toBeCloseTo(0.7928771076911921, 13);
  });

  it.each([
    [3, 3.035252295614148, 3.0709103450719586, 2.287484751766896],
    [5, 2.0206281650809057, 2.0244379394941245, 1.771878069659319],
    [10, 1.32508078378888, 1.324945639144549, 1.2529069984918342],
  ])(
    'for two arms of %i runs is close to R 4.2.2: power.t.test(n, sd = 1, power = .8)$delta',
    (n, byT, byR, byZ) => {
      const result = minimumDetectableEffect(1, n, { design: 'two-arms' }) as number;
      expect(result).toBeCloseTo(byT, 10);
      expect(Math.abs(result / byR - 1)).toBeLessThan(0.02);
      expect(minimumDetectableEffect(1, n, { design: 'two-arms', approximation: 'normal' })).toBeCloseTo(
        byZ,
        12,
      );
    },
  );

  it('has no value for fewer than two or without spread', () => {
    expect(minimumDetectableEffect(0.4, 1)).toBeUndefined();
    expect(minimumDetectableEffect(0, 10)).toBeUndefined();
  });

  it('refuses what cannot be', () => {
    expect(() => minimumDetectableEffect(-1, 10)).toThrow(RangeError);
    expect(() => minimumDetectableEffect(1, 2.5)).toThrow(RangeError);
    expect(() => minimumDetectableEffect(1, 10, { power: 80 })).toThrow(RangeError);
    expect(() => neededN(1, NaN)).toThrow(RangeError);
  });
});
