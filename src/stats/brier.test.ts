import { describe, expect, it } from 'vitest';
import { brier } from './brier.ts';

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
