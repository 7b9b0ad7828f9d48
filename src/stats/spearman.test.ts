import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spearman } from './spearman.ts';
import { MPG, WEIGHT } from './testing/mtcars.ts';

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
