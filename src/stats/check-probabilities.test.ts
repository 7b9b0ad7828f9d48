import { describe, expect, it } from 'vitest';
import { checkProbabilities } from './check-probabilities.ts';

describe('checkProbabilities', () => {
  it('accepts 0, 1 and what lies between', () => {
    checkProbabilities([0, 0.3, 1]);
  });

  it.each([-0.01, 1.01, NaN])('names the place of %f', (value) => {
    expect(() => checkProbabilities([0.5, value])).toThrow(
      new RangeError(`probabilities[1] must be between 0 and 1, got ${value}`),
    );
  });
});
