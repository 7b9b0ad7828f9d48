import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pearson } from './pearson.ts';
import { MPG, WEIGHT } from './testing/mtcars.ts';

describe('pearson', () => {
  it('is that of R 4.2.2: cor.test(mtcars$mpg, mtcars$wt, conf.level = 0.9)', () => {
    const result = pearson(MPG, WEIGHT, 0.9);
    expect(result?.r).toBeCloseTo(-0.8676593765172278, 14);
    expect((result?.p ?? NaN) / 1.2939587013505163e-10).toBeCloseTo(1, 10);
    expect(result?.interval?.low).toBeCloseTo(-0.9259151498840195, 13);
    expect(result?.interval?.high).toBeCloseTo(-0.7690872078597493, 13);
    expect(result?.n).toBe(32);
  });

  it('is the worked value (R 4.2.2: cor.test(1:5, c(2, 1, 4, 3, 5)))', () => {
    const result = pearson([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]);
    expect(result?.r).toBeCloseTo(0.8, 14);
    expect(result?.p).toBeCloseTo(0.10408803866182798, 12);
    expect(result?.interval?.low).toBeCloseTo(-0.27964004196935505, 12);
    expect(result?.interval?.high).toBeCloseTo(0.9861961933012714, 12);
  });

  it('has r and p but no interval with three pairs (R 4.2.2: cor.test(c(1, 2, 3), c(1, 3, 2)))', () => {
    const result = pearson([1, 2, 3], [1, 3, 2]);
    expect(result?.r).toBeCloseTo(0.5, 14);
    expect(result?.p).toBeCloseTo(0.6666666666666667, 12);
    expect(result?.interval).toBeUndefined();
  });

  it('has no value for two pairs or for a list without spread', () => {
    expect(pearson([1, 2], [3, 5])).toBeUndefined();
    expect(pearson([1, 2, 3], [4, 4, 4])).toBeUndefined();
  });

  it('is symmetric, ignores the order of pairs, and does not change with scale', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 })), {
      minLength: 3,
    });
    fc.assert(
      fc.property(pairs, (list) => {
        const x = list.map((pair) => pair[0]);
        const y = list.map((pair) => pair[1]);
        const result = pearson(x, y);
        expect(pearson(y, x)).toEqual(result);
        expect(pearson(x.toReversed(), y.toReversed())).toEqual(result);
        if (!result) return;
        expect(
          pearson(
            x.map((value) => 3 * value + 7),
            y,
          )?.r,
        ).toBeCloseTo(result.r, 10);
        if (result.interval) {
          expect(result.interval.low).toBeLessThanOrEqual(result.r);
          expect(result.interval.high).toBeGreaterThanOrEqual(result.r);
        }
      }),
    );
  });
});
