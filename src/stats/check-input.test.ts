import { describe, expect, it } from 'vitest';
import { checkCount, checkFinite, checkProbabilities, checkSameLength, checkShare } from './check-input.ts';

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

describe('checkShare', () => {
  it('accepts what lies between 0 and 1', () => {
    checkShare(0.95, 'confidence');
  });

  it.each([95, 0, 1, -0.1, NaN])('refuses %f', (share) => {
    expect(() => checkShare(share, 'confidence')).toThrow(
      /^confidence must be between 0 and 1 \(0.95, not 95\)/,
    );
  });
});
