import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSimplex } from './fit-weights.ts';

describe('toSimplex', () => {
  it('gives the worked value', () => {
    expect([...toSimplex(Float64Array.of(0.5, 0.9, -0.2))]).toEqual([
      expect.closeTo(0.3, 12),
      expect.closeTo(0.7, 12),
      0,
    ]);
  });

  it('leaves weights as they are, and makes any point into weights no farther away than others', () => {
    const point = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 1, maxLength: 6 });
    const distance = (a: Float64Array, b: Float64Array) =>
      a.reduce((sum, v, i) => sum + (v - (b[i] ?? 0)) ** 2, 0);
    fc.assert(
      fc.property(point, (values) => {
        const given = Float64Array.from(values);
        const landed = toSimplex(given, 1, 0.01);
        expect(landed.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
        expect(Math.min(...landed)).toBeGreaterThanOrEqual(0.01);
        expect(distance(toSimplex(landed, 1, 0.01), landed)).toBeLessThan(1e-18);
        const even = landed.map(() => 1 / landed.length);
        expect(distance(given, landed)).toBeLessThanOrEqual(distance(given, even) + 1e-9);
      }),
    );
  });

  it('refuses places that do not fit', () => {
    expect(() => toSimplex(new Float64Array(4), 1, 0.3)).toThrow(RangeError);
  });
});
