import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brier, reliability } from './forecasts.ts';
import { wilson } from './intervals.ts';

describe('brier', () => {
  it('is the mean squared distance (numpy 2.4.6: np.mean((p - o)**2))', () => {
    const outcomes = [true, false, true, true, true, false, false];
    expect(brier([0.9, 0.2, 0.7, 0.4, 0.95, 0.05, 0.6], outcomes)).toBeCloseTo(0.12357142857142857, 15);
  });

  it('is the worked value: (0.1² + 0.2²) / 2', () => {
    expect(brier([0.9, 0.2], [true, false])).toBeCloseTo(0.025, 15);
  });

  it('is 0 for a forecaster who is certain and right, 1 for one who is certain and wrong', () => {
    expect(brier([1, 0], [true, false])).toBe(0);
    expect(brier([1, 0], [false, true])).toBe(1);
  });

  it('has no value without forecasts and refuses percentages and unequal lists', () => {
    expect(brier([], [])).toBeUndefined();
    expect(() => brier([90], [true])).toThrow(RangeError);
    expect(() => brier([0.9], [])).toThrow(RangeError);
  });
});

describe('reliability', () => {
  it('is the worked value; the empty bin is left out', () => {
    const curve = reliability([0.62, 0.68, 0.9], [false, true, true], { bins: 2 });
    expect(curve).toEqual([
      {
        low: 0.5,
        high: 1,
        meanPredicted: expect.closeTo(2.2 / 3, 15),
        observed: 2 / 3,
        interval: wilson(2, 3),
        n: 3,
      },
    ]);
  });

  it('puts a probability on an edge into the bin above, and 1 into the last', () => {
    const bins = reliability([0.1, 0.3, 0.7, 1], [true, true, true, true]);
    expect(bins.map((bin) => bin.low)).toEqual([0.1, 0.3, 0.7, 0.9]);
    // 0.29 * 100 is 28.999999999999996
    expect(reliability([0.29], [true], { bins: 100 })[0]?.low).toBe(0.29);
  });

  it('is empty without forecasts', () => {
    expect(reliability([], [])).toEqual([]);
  });

  it('refuses no bins, percentages and unequal lists', () => {
    expect(() => reliability([0.5], [true], { bins: 0 })).toThrow(RangeError);
    expect(() => reliability([50], [true])).toThrow(RangeError);
    expect(() => reliability([0.5], [])).toThrow(RangeError);
  });

  it('loses nobody, keeps every mean inside its bin, and ignores the order', () => {
    const items = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()));
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 20 }), (list, bins) => {
        const probabilities = list.map((item) => item[0]);
        const outcomes = list.map((item) => item[1]);
        const curve = reliability(probabilities, outcomes, { bins });
        expect(curve.reduce((sum, bin) => sum + bin.n, 0)).toBe(list.length);
        for (const bin of curve) {
          expect(bin.meanPredicted).toBeGreaterThanOrEqual(bin.low - 1e-12);
          expect(bin.meanPredicted).toBeLessThanOrEqual(bin.high + 1e-12);
        }
        expect(reliability(probabilities.toReversed(), outcomes.toReversed(), { bins })).toEqual(curve);
      }),
    );
  });
});
