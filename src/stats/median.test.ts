import { describe, expect, it } from 'vitest';
import { median } from './median.ts';

describe('median', () => {
  it('is the middle value, or the mean of the two (R 4.2.2: median(c(9, 1, 3, 2)) is 2.5)', () => {
    expect(median([9, 1, 3])).toBe(3);
    expect(median([9, 1, 3, 2])).toBe(2.5);
  });

  it('has no value without values', () => {
    expect(median([])).toBeUndefined();
  });
});
