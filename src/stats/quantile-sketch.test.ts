import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantile } from './descriptive.ts';
import {
  countAbove,
  EMPTY_SKETCH,
  mergeSketches,
  quantileOfSketch,
  RELATIVE_ERROR,
  sketchOf,
  sumOfSketch,
} from './quantile-sketch.ts';

const durations = fc.array(fc.double({ min: 0.001, max: 1e7, noNaN: true }), {
  minLength: 1,
  maxLength: 300,
});

describe('a quantile sketch', () => {
  it('gives the worked value: the median of 1 to 100 is 50 to within 1%', () => {
    const sketch = sketchOf(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(Math.abs((quantileOfSketch(sketch, 0.5) ?? 0) - 50)).toBeLessThanOrEqual(0.5);
    expect(quantileOfSketch(sketch, 0)).toBe(1);
    expect(quantileOfSketch(sketch, 1)).toBe(100);
  });

  it('is within 1% of a value of the sample at the rank that was asked for', () => {
    fc.assert(
      fc.property(
        durations,
        fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
        (values, p) => {
          const sorted = values.toSorted((a, b) => a - b);
          const exact = sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] as number;
          const found = quantileOfSketch(sketchOf(values), p) as number;
          expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * RELATIVE_ERROR * (1 + 1e-9));
        },
      ),
    );
  });

  it('takes the longest of ten for their p95: one of ten is more than a twentieth', () => {
    expect(quantileOfSketch(sketchOf([...new Array<number>(9).fill(1), 100]), 0.95)).toBe(100);
    const twenty = sketchOf([...new Array<number>(19).fill(1), 100]);
    expect(quantileOfSketch(twenty, 0.95)).toBeCloseTo(1);
    expect(quantileOfSketch(twenty, 0.96)).toBe(100);
  });

  it('gives the sum of the values to within 1%', () => {
    fc.assert(
      fc.property(durations, (values) => {
        const exact = values.reduce((sum, value) => sum + value, 0);
        expect(Math.abs(sumOfSketch(sketchOf(values)) - exact)).toBeLessThanOrEqual(exact * 0.0101);
      }),
    );
  });

  it('counts the values above another, but for those within 1% of it', () => {
    fc.assert(
      fc.property(durations, fc.double({ min: 0.01, max: 1e7, noNaN: true }), (values, line) => {
        const found = countAbove(sketchOf(values), line);
        const above = (limit: number) => values.filter((value) => value > limit).length;
        expect(found).toBeGreaterThanOrEqual(above(line * 1.0203));
        expect(found).toBeLessThanOrEqual(above(line * (1 - 1e-9)));
      }),
    );
  });

  it('stays near the exact quantile of many values', () => {
    const values = Array.from({ length: 10_000 }, (_, i) => 200 + (i % 997) * 3.7);
    for (const p of [0.5, 0.95, 0.99]) {
      const exact = quantile(values, p) as number;
      expect(Math.abs((quantileOfSketch(sketchOf(values), p) ?? 0) / exact - 1)).toBeLessThan(0.0101);
    }
  });

  it('of parts, merged in any order, is the sketch of the whole', () => {
    fc.assert(
      fc.property(durations, durations, durations, (a, b, c) => {
        const whole = sketchOf([...a, ...b, ...c]);
        const [x, y, z] = [sketchOf(a), sketchOf(b), sketchOf(c)];
        expect(mergeSketches([mergeSketches([x, y]), z])).toEqual(whole);
        expect(mergeSketches([z, mergeSketches([y, x])])).toEqual(whole);
      }),
    );
  });

  it('counts zeros and has no value without values', () => {
    expect(quantileOfSketch(EMPTY_SKETCH, 0.5)).toBeUndefined();
    expect(mergeSketches([])).toBe(EMPTY_SKETCH);
    expect(quantileOfSketch(sketchOf([0, 0, 0, 8]), 0.5)).toBe(0);
  });

  it('survives JSON, and takes the smallest and the largest values', () => {
    const sketch = sketchOf([1e-20, 5e-12, 1, 1e300]);
    expect(JSON.parse(JSON.stringify(sketch))).toEqual(sketch);
    expect(quantileOfSketch(sketch, 1)).toBe(1e300);
    expect(sketch.zeros).toBe(1);
  });

  it('refuses what is no duration', () => {
    for (const value of [-1, NaN, Infinity]) expect(() => sketchOf([value])).toThrow(RangeError);
    expect(() => quantileOfSketch(EMPTY_SKETCH, 2)).toThrow(RangeError);
  });
});
