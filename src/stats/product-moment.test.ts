import { describe, expect, it } from 'vitest';
import { productMoment } from './product-moment.ts';

describe('productMoment', () => {
  it('is that of R 4.2.2: cor(c(1, 2, 3), c(1, 3, 2))', () => {
    expect(productMoment([1, 2, 3], [1, 3, 2])).toBeCloseTo(0.5, 15);
  });

  it('never leaves −1 to 1 by rounding', () => {
    expect(productMoment([0.1, 0.2, 0.3], [0.2, 0.4, 0.6])).toBeLessThanOrEqual(1);
    expect(productMoment([0.1, 0.2, 0.3], [-0.1, -0.2, -0.3])).toBeGreaterThanOrEqual(-1);
  });

  it('has no value without spread', () => {
    expect(productMoment([1, 1, 1], [1, 2, 3])).toBeUndefined();
    expect(productMoment([0, 0], [1, 2])).toBeUndefined();
    expect(productMoment([0.3, 0.1 + 0.2, 0.3], [1, 2, 3])).toBeUndefined();
    expect(productMoment([1], [1])).toBeUndefined();
    expect(productMoment([], [])).toBeUndefined();
  });

  it('refuses lists of different length', () => {
    expect(() => productMoment([1, 2], [1])).toThrow(RangeError);
  });
});
