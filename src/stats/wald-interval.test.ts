import { describe, expect, it } from 'vitest';
import { waldInterval } from './wald-interval.ts';

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
