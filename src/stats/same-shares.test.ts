import { describe, expect, it } from 'vitest';
import { chiSquareUpperP } from './distributions.ts';
import { sameShares } from './same-shares.ts';

describe('the same shares in two groups', () => {
  it.each([
    // By hand; with two degrees of freedom p is exp(−x/2).
    [[30, 20, 50], [20, 30, 50], 4, 2, 0.1353353],
    [[10, 20, 30], [40, 25, 15], 21.1296296, 2, 0.0000258],
  ] as const)('%j beside %j', (before, after, chiSquare, degreesOfFreedom, p) => {
    const found = sameShares(before, after);
    expect(found?.chiSquare).toBeCloseTo(chiSquare, 6);
    expect(found?.degreesOfFreedom).toBe(degreesOfFreedom);
    expect(found?.p).toBeCloseTo(p, 6);
  });

  it('puts neighbours together that few are in, and is silent when nothing is left to compare', () => {
    expect(sameShares([30, 1, 19, 50], [20, 0, 30, 50])?.degreesOfFreedom).toBe(2);
    expect(sameShares([1, 1], [1, 1])).toBeUndefined();
    expect(sameShares([0, 0], [5, 5])).toBeUndefined();
  });

  // 3.841459 is the square of 1.959964; the even ones are exp(−x/2) times the sum of (x/2)^i / i! below df/2.
  it.each([
    [3.841459, 1, 0.05],
    [20, 10, 0.02925269],
    [100, 60, 0.0009168],
    [0, 3, 1],
    [5000, 19, 0],
    [5000, 400, 0],
  ])('a chi-square of %d with %d degrees of freedom has p %d', (x, df, p) => {
    expect(chiSquareUpperP(x, df)).toBeCloseTo(p, 6);
  });
});
