import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { composite } from './composite.ts';

const value = (measurement: Measurement) => (measurement.measured ? measurement.value : undefined);
const part = (id: string, weight: number, of?: number) => ({
  id,
  weight,
  measurement: of === undefined ? unmeasured('absent') : estimate(of, 10),
});

describe('composite', () => {
  it('adds weighted parts and subtracts penalties', () => {
    const { measurement, coverage } = composite([
      part('recall', 0.25, 0.72),
      part('precision', 0.2, 0.8),
      part('relationships', 0.2, 0.7),
      part('provenance', 0.2, 0.9),
      part('penalty', -0.15, 0.05),
    ]);
    // 0.18 + 0.16 + 0.14 + 0.18 − 0.0075
    expect(value(measurement)).toBeCloseTo(0.6525, 12);
    expect(coverage).toBe(1);
    expect(measurement).toMatchObject({ coverage: 1 });
  });

  it('hands the weight of what is missing to the rest in proportion', () => {
    const { measurement, coverage, parts } = composite([
      part('a', 0.5, 0.4),
      part('b', 0.3, 0.8),
      part('c', 0.2),
    ]);
    // 0.5 and 0.3 become 0.625 and 0.375: 0.625 × 0.4 + 0.375 × 0.8 = 0.55
    expect(value(measurement)).toBeCloseTo(0.55, 12);
    expect(coverage).toBeCloseTo(0.8, 12);
    expect(parts.map((one) => Number(one.weight.toFixed(9)))).toEqual([0.625, 0.375, 0]);
  });

  it('does not hand the weight of a missing penalty to anybody, and lowers the coverage', () => {
    const { measurement, coverage } = composite([part('a', 0.85, 1), part('penalty', -0.15)]);
    expect(value(measurement)).toBeCloseTo(0.85, 12);
    expect(coverage).toBeCloseTo(0.85, 12);
    expect(measurement).toMatchObject({ coverage });
  });

  it('is unmeasured when no positive part was measured', () => {
    expect(composite([part('a', 1), part('penalty', -0.15, 0.5)]).measurement).toEqual({
      measured: false,
      reason: 'not measured: a',
    });
    expect(composite([]).measurement.measured).toBe(false);
  });

  it('can insist on every part', () => {
    const { measurement } = composite([part('a', 0.5, 1), part('b', 0.5)], 'unmeasured');
    expect(measurement).toEqual({ measured: false, reason: 'not measured: b' });
  });

  it('stays between its worst and its best part, whatever is missing', () => {
    const parts = fc.array(
      fc.record({
        weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
        of: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(parts, (given) => {
        const total = given.reduce((sum, one) => sum + one.weight, 0);
        const { measurement, coverage } = composite(
          given.map((one, i) => part(`${i}`, one.weight / total, one.of)),
        );
        const present = given.flatMap((one) => (one.of === undefined ? [] : [one.of]));
        expect(coverage).toBeGreaterThanOrEqual(0);
        expect(coverage).toBeLessThanOrEqual(1 + 1e-9);
        if (!measurement.measured) {
          expect(present).toEqual([]);
          return;
        }
        expect(measurement.value).toBeGreaterThanOrEqual(Math.min(...present) - 1e-9);
        expect(measurement.value).toBeLessThanOrEqual(Math.max(...present) + 1e-9);
      }),
    );
  });
});
