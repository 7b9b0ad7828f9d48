import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareInterval } from './share-interval.ts';
import { wilson } from './wilson.ts';

const ones = (k: number, n: number) => Array.from({ length: n }, (_, i) => (i < k ? 1 : 0));

describe('shareInterval', () => {
  it('is worked by hand for 8 of 10: 9 effective items, t = 2.262157 with 9 degrees of freedom', () => {
    const [p, n, t] = [0.8, 9, 2.2621571628];
    const shrink = 1 + t ** 2 / n;
    const half = (t / shrink) * Math.sqrt((p * (1 - p)) / n + t ** 2 / (4 * n ** 2));
    const centre = (p + t ** 2 / (2 * n)) / shrink;
    const interval = shareInterval(ones(8, 10));
    expect(interval?.low).toBeCloseTo(centre - half, 8);
    expect(interval?.high).toBeCloseTo(centre + half, 8);
  });

  it("comes to Wilson's where the items are many and independent", () => {
    const [ours, plain] = [shareInterval(ones(700, 1000)), wilson(700, 1000)];
    expect(ours?.low).toBeCloseTo(plain?.low ?? NaN, 3);
    expect(ours?.high).toBeCloseTo(plain?.high ?? NaN, 3);
  });

  it('is wider when items come in clusters that are alike', () => {
    const values = [...ones(20, 20), ...ones(0, 20), ...ones(20, 20), ...ones(0, 20)];
    const clusters = values.map((_, i) => Math.floor(i / 20));
    const [loose, tight] = [shareInterval(values, { clusters }), shareInterval(values)];
    expect((loose?.high ?? 0) - (loose?.low ?? 0)).toBeGreaterThan(
      4 * ((tight?.high ?? 0) - (tight?.low ?? 0)),
    );
  });

  it('says something sensible when all or nothing was found', () => {
    expect(shareInterval(ones(12, 12))).toMatchObject({ high: 1 });
    expect(shareInterval(ones(12, 12))?.low).toBeLessThan(0.8);
    expect(shareInterval(ones(0, 12))).toMatchObject({ low: 0 });
  });

  it('holds its mean, stays inside 0 and 1 and ignores the order', () => {
    const credits = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(credits, fc.integer({ min: 1, max: 5 }), (list, repeats) => {
        const values = list.map((value) => value / 6);
        const { low = NaN, high = NaN } = shareInterval(values, { repeats }) ?? {};
        const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
        expect(low).toBeLessThanOrEqual(centre + 1e-12);
        expect(high).toBeGreaterThanOrEqual(centre - 1e-12);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        const turned = shareInterval(values.toReversed(), { repeats });
        expect(turned?.low).toBeCloseTo(low, 12);
      }),
    );
  });

  it('needs two clusters and refuses what is no share', () => {
    expect(shareInterval([0.5])).toBeUndefined();
    expect(shareInterval([0.5, 0.5], { clusters: ['a', 'a'] })).toBeUndefined();
    expect(() => shareInterval([2, 3])).toThrow(RangeError);
  });
});
