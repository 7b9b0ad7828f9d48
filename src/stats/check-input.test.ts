import { expect, it } from 'vitest';
import { checkCount, checkFinite, checkProbabilities, checkShare } from './check-input.ts';

it.each([-1, 2.5, NaN, Infinity])('a count is never %f', (count) => {
  expect(() => checkCount(count, 'n')).toThrow(RangeError);
  expect(() => checkCount(0, 'n')).not.toThrow();
});

it.each([NaN, Infinity, -Infinity])('a sample with %f in it is refused, and its place is named', (value) => {
  expect(() => checkFinite([1, value], 'scores')).toThrow(/^scores\[1\] must be a finite number/);
});

it.each([-0.01, 1.01, NaN])('a probability is never %f', (value) => {
  expect(() => checkProbabilities([0.5, value])).toThrow(/^probabilities\[1\] must be between 0 and 1/);
  expect(() => checkProbabilities([0, 1])).not.toThrow();
});

it.each([95, 0, 1, -0.1, NaN])('a confidence is never %f', (share) => {
  expect(() => checkShare(share, 'confidence')).toThrow(RangeError);
});
