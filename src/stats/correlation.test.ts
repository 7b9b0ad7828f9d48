import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averageRanks, pearson, productMoment, spearman } from './correlation.ts';
import { MPG, WEIGHT } from './testing/mtcars.ts';

describe('averageRanks', () => {
  it('shares the rank among ties as R 4.2.2: rank(c(10, 20, 20, 5))', () => {
    expect([...averageRanks([10, 20, 20, 5])]).toEqual([2, 3.5, 3.5, 1]);
    expect([...averageRanks([])]).toEqual([]);
  });

  it('is one plus the number below plus half of the others that tie', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (values) => {
        const expected = values.map((value) => {
          const below = values.filter((other) => other < value).length;
          const ties = values.filter((other) => other === value).length - 1;
          return 1 + below + ties / 2;
        });
        expect([...averageRanks(values)]).toEqual(expected);
      }),
    );
  });
});

describe('productMoment', () => {
  it('never leaves −1 to 1 by rounding', () => {
    expect(productMoment([0.1, 0.2, 0.3], [0.2, 0.4, 0.6])).toBeLessThanOrEqual(1);
    expect(productMoment([0.1, 0.2, 0.3], [-0.1, -0.2, -0.3])).toBeGreaterThanOrEqual(-1);
  });

  it('has no value without spread', () => {
    expect(productMoment([1, 1, 1], [1, 2, 3])).toBeUndefined();
    expect(productMoment([0, 0], [1, 2])).toBeUndefined();
    expect(productMoment([0.3, 0.1 + 0.2, 0.3], [1, 2, 3])).toBeUndefined();
    expect(productMoment([1], [1])).toBeUndefined();
    expect(productMoment([], [])).toBeUndefined();
  });
});

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

  it('claims no interval for a perfect correlation, whose p is 0, and refuses lists of different length', () => {
    expect(pearson([1, 2, 3, 4], [2, 4, 6, 8])).toMatchObject({ r: 1, p: 0, interval: undefined });
    expect(pearson([1, 2, 3, 4], [8, 6, 4, 2])).toMatchObject({ r: -1, p: 0, interval: undefined });
    expect(() => pearson([1, 2, 4, 3], [1, 2, 5])).toThrow(RangeError);
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

describe('spearman', () => {
  it('has the r and p of scipy 1.17.1: scipy.stats.spearmanr(mpg, wt)', () => {
    const result = spearman(MPG, WEIGHT);
    expect(result?.r).toBeCloseTo(-0.8864220332702978, 14);
    expect((result?.p ?? NaN) / 1.487594858127495e-11).toBeCloseTo(1, 10);
    expect(result?.n).toBe(32);
  });

  it('handles ties (scipy 1.17.1: spearmanr([3,1,4,1,5,9,2,6], [2,7,1,8,2,8,1,8]))', () => {
    const result = spearman([3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8]);
    expect(result?.r).toBeCloseTo(0.19885368120992467, 14);
    expect(result?.p).toBeCloseTo(0.6368617833253286, 12);
  });

  it('has the Bonett–Wright interval (R 4.2.2: tanh(atanh(r) ± qnorm(.975) * sqrt((1 + r^2/2) / (n - 3))))', () => {
    expect(spearman(MPG, WEIGHT)?.interval?.low).toBeCloseTo(-0.9502658823782981, 13);
    expect(spearman(MPG, WEIGHT)?.interval?.high).toBeCloseTo(-0.751081976970414, 13);
    const worked = spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]);
    expect(worked?.interval?.low).toBeCloseTo(-0.45712438880529616, 12);
    expect(worked?.interval?.high).toBeCloseTo(0.9908429478778042, 12);
  });

  it('has no value for two pairs or for a list without spread', () => {
    expect(spearman([1, 2], [3, 5])).toBeUndefined();
    expect(spearman([1, 2, 3], [4, 4, 4])).toBeUndefined();
  });

  it('sees only the order: any rising transformation leaves it the same', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 })), {
      minLength: 3,
    });
    fc.assert(
      fc.property(pairs, (list) => {
        const x = list.map((pair) => pair[0]);
        const y = list.map((pair) => pair[1]);
        expect(
          spearman(
            x.map((value) => Math.exp(value)),
            y,
          ),
        ).toEqual(spearman(x, y));
        expect(spearman(y, x)).toEqual(spearman(x, y));
      }),
    );
  });
});
