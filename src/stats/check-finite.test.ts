import { describe, expect, it } from 'vitest';
import { checkFinite } from './check-finite.ts';

describe('checkFinite', () => {
  it('accepts numbers and nothing', () => {
    checkFinite([1, -2.5, 0]);
    checkFinite([]);
  });

  it.each([NaN, Infinity, -Infinity])('names the place of %f', (value) => {
    expect(() => checkFinite([1, value], 'scores')).toThrow(
      new RangeError(`scores[1] must be a finite number, got ${value}`),
    );
  });
});
