import { describe, expect, it } from 'vitest';
import { checkSameLength } from './check-same-length.ts';

describe('checkSameLength', () => {
  it('accepts equal lengths', () => {
    checkSameLength([1], new Float64Array(1), ['x', 'y']);
  });

  it('names both lists and their lengths', () => {
    expect(() => checkSameLength([1], [], ['x', 'y'])).toThrow(
      new RangeError('x and y must be equally long, got 1 and 0'),
    );
  });
});
