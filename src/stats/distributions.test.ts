import { describe, expect, it } from 'vitest';
import {
  binomialCdf,
  normalCdf,
  normalQuantile,
  studentTQuantile,
  studentTTwoSidedP,
} from './distributions.ts';

describe('distributions', () => {
  it.each([
    [-8, 6.22096057427174e-16],
    [-2, 0.022750131948179195],
    [0, 0.5],
    [0.5, 0.6914624612740131],
    [3, 0.9986501019683699],
  ])('normal cdf at %f is that of scipy 1.17.1: scipy.stats.norm.cdf', (z, expected) => {
    expect(normalCdf(z) / expected).toBeCloseTo(1, 13);
  });

  it.each([
    [1e-10, -6.361340902404056],
    [0.025, -1.9599639845400545],
    [0.2, -0.8416212335729142],
    [0.8, 0.8416212335729143],
    [0.975, 1.959963984540054],
    [0.9995, 3.2905267314919255],
  ])('normal quantile at %f is that of scipy 1.17.1: scipy.stats.norm.ppf', (probability, expected) => {
    expect(normalQuantile(probability) / expected).toBeCloseTo(1, 13);
  });

  it.each([
    [2.5, 4, 0.06676654481198814],
    [-2.5, 4, 0.06676654481198814],
    [2.5, 4.7, 0.05759215934686732],
    [0.3, 1.5, 0.8004721968035851],
    [12, 3.999, 0.00027682297716494176],
    [1.9, 250.3, 0.058582373994196045],
    [0.001, 2.2, 0.999285495518496],
    [40, 17.776, 7.256583945824033e-19],
    [3, 9999.5, 0.0027064485228383496],
  ])(
    'two-sided p of t = %f with %f df is that of scipy 1.17.1: 2 * scipy.stats.t.sf(|t|, df)',
    (t, df, expected) => {
      expect(studentTTwoSidedP(t, df) / expected).toBeCloseTo(1, 11);
    },
  );

  it('the whole df either side of a fractional one do not give its p', () => {
    const p = studentTTwoSidedP(2.5, 4.7);
    expect(p).toBeLessThan(studentTTwoSidedP(2.5, 4));
    expect(p).toBeGreaterThan(studentTTwoSidedP(2.5, 5));
  });

  it.each([
    [0.975, 4, 2.7764451051977934],
    [0.975, 4.7, 2.62072607535317],
    [0.6, 1.5, 0.30074539256979543],
    [0.9999, 3.999, 13.038673261865561],
    [0.975, 250.3, 1.969486911388576],
    [0.025, 17.776, -2.1028213103802216],
    [0.8, 2.2, 1.0372550808474206],
    [0.975, 9999.5, 1.960201251755398],
    [0.975, 1, 12.706204736174694],
    [0.995, 2, 9.924843200918287],
  ])(
    't quantile at %f with %f df is that of scipy 1.17.1: scipy.stats.t.ppf',
    (probability, df, expected) => {
      expect(studentTQuantile(probability, df) / expected).toBeCloseTo(1, 11);
    },
  );

  it('the t quantile in the middle is 0', () => {
    expect(studentTQuantile(0.5, 7)).toBe(0);
  });

  it.each([
    [3, 10, 0.171875],
    [0, 5, 0.03125],
    [45, 100, 0.18410080866334808],
    [400, 1000, 1.3642320780329735e-10],
    [5, 5, 1],
  ])(
    'binomial cdf of %i in %i is that of scipy 1.17.1: scipy.stats.binom.cdf(k, n, 0.5)',
    (k, n, expected) => {
      expect(binomialCdf(k, n, 0.5) / expected).toBeCloseTo(1, 11);
    },
  );

  it('refuses a probability of 0 or 1 and degrees of freedom of 0', () => {
    expect(() => normalQuantile(1)).toThrow(RangeError);
    expect(() => studentTQuantile(0, 3)).toThrow(RangeError);
    expect(() => studentTTwoSidedP(1, 0)).toThrow(RangeError);
  });
});
