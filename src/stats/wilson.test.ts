import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilson } from './wilson.ts';

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
