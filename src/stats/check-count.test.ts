import { describe, expect, it } from 'vitest';
import { checkCount } from './check-count.ts';

describe('checkCount', () => {
  it('accepts whole numbers from the least on', () => {
    checkCount(0, 'n');
    checkCount(1, 'bins', 1);
  });

  it.each([-1, 2.5, NaN, Infinity])('refuses %f', (count) => {
    expect(() => checkCount(count, 'n')).toThrow(
      new RangeError(`n must be a whole number of at least 0, got ${count}`),
    );
  });
});
