import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean } from './descriptive.ts';
import { exactShareInterval, shareInterval, studentTInterval, waldInterval, wilson } from './intervals.ts';

describe('waldInterval', () => {
  it('is the worked value, cut off at 1', () => {
    expect(waldInterval(0.9, 0.1, [0, 1], 0.95)).toEqual({
      low: expect.closeTo(0.9 - 0.1959963984540054, 14),
      high: 1,
    });
  });

  it('has no value for an error of 0 or of rounding', () => {
    expect(waldInterval(1, 0, [0, 1], 0.95)).toBeUndefined();
    expect(waldInterval(1, 1e-12, [0, 1], 0.95)).toBeUndefined();
  });
});

describe('wilson', () => {
  it.each([
    [8, 10, 0.49016247153664183, 0.9433178485456247],
    [0, 10, 0, 0.27753279986288915],
    [10, 10, 0.7224672001371109, 1],
    [1, 3, 0.06149194472039629, 0.7923403991979523],
    [81, 263, 0.2552885198782743, 0.36620957698280016],
  ])('for %i of %i is that of R 4.2.2: prop.test(k, n, correct = FALSE)', (k, n, low, high) => {
    const interval = wilson(k, n);
    expect(interval?.low).toBeCloseTo(low, 14);
    expect(interval?.high).toBeCloseTo(high, 14);
  });

  it('takes another confidence (R 4.2.2: prop.test(8, 10, correct = FALSE, conf.level = 0.9))', () => {
    expect(wilson(8, 10, 0.9)?.low).toBeCloseTo(0.5407928056874881, 14);
    expect(wilson(8, 10, 0.9)?.high).toBeCloseTo(0.9314420122624679, 14);
  });

  it('has no value for 0 of 0', () => {
    expect(wilson(0, 0)).toBeUndefined();
  });

  it('refuses counts that cannot be', () => {
    expect(() => wilson(11, 10)).toThrow(RangeError);
    expect(() => wilson(-1, 10)).toThrow(RangeError);
    expect(() => wilson(2.5, 10)).toThrow(RangeError);
    expect(() => wilson(2, 10, 95)).toThrow(RangeError);
  });

  it('contains the share, stays in 0–1, and mirrors when yes and no change places', () => {
    const counts = fc
      .integer({ min: 1, max: 5000 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const { low, high } = wilson(k, n) ?? { low: NaN, high: NaN };
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(k / n);
        expect(high).toBeGreaterThanOrEqual(k / n);
        expect(wilson(n - k, n)?.high).toBeCloseTo(1 - low, 12);
      }),
    );
  });
});

const ones = (k: number, n: number) => Array.from({ length: n }, (_, i) => (i < k ? 1 : 0));

describe('exactShareInterval', () => {
  it('is that of R: binom.test(10, 100)$conf.int, and its ends are 0 and 1', () => {
    expect(exactShareInterval(10, 100, 0.025).low).toBeCloseTo(0.04900469, 8);
    expect(exactShareInterval(10, 100, 0.025).high).toBeCloseTo(0.1762226, 7);
    // 1 − 0.025^(1/10), as for every n of n and 0 of n.
    expect(exactShareInterval(0, 10, 0.025)).toEqual({ low: 0, high: expect.closeTo(0.3084971, 7) });
    expect(exactShareInterval(10, 10, 0.025)).toEqual({ low: expect.closeTo(0.6915029, 7), high: 1 });
  });
});

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

describe('studentTInterval', () => {
  it('is that of R 4.2.2: t.test(c(0.70, 0.74, 0.72))', () => {
    const interval = studentTInterval([0.7, 0.74, 0.72]);
    expect(interval?.low).toBeCloseTo(0.6703172457649933, 13);
    expect(interval?.high).toBeCloseTo(0.7696827542350066, 13);
  });

  it('takes another confidence (R 4.2.2: t.test(c(5.1, 4.9, 6.2, 5.7, 5.5, 4.4), conf.level = 0.99))', () => {
    const interval = studentTInterval([5.1, 4.9, 6.2, 5.7, 5.5, 4.4], 0.99);
    expect(interval?.low).toBeCloseTo(4.2537126331569, 12);
    expect(interval?.high).toBeCloseTo(6.346287366843099, 12);
  });

  it('has no value for one run, or for runs that differ by rounding alone', () => {
    expect(studentTInterval([0.7])).toBeUndefined();
    expect(studentTInterval([0.7, 0.7, 0.7])).toBeUndefined();
    expect(studentTInterval([0.1 + 0.2, 0.3, 0.3])).toBeUndefined();
    expect(studentTInterval([0, 0])).toBeUndefined();
  });

  it('contains the mean', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2 });
    fc.assert(
      fc.property(values, (sample) => {
        const interval = studentTInterval(sample);
        if (!interval) return;
        expect(interval.low).toBeLessThan(mean(sample) as number);
        expect(interval.high).toBeGreaterThan(mean(sample) as number);
      }),
    );
  });
});
