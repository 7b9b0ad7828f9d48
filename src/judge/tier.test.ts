import { expect, it } from 'vitest';
import { tierOf } from './tier.ts';

const tiers = [
  { label: 'failed', from: 0 },
  { label: 'poor', from: 0.4 },
  { label: 'acceptable', from: 0.6 },
  { label: 'good', from: 0.75 },
  { label: 'excellent', from: 0.9 },
];

it.each([
  [0, 'failed'],
  [0.39, 'failed'],
  [0.4, 'poor'],
  [0.745, 'acceptable'], // rounds to 0.75, but the unrounded score decides
  [0.75, 'good'],
  [0.899999, 'good'],
  [0.9, 'excellent'],
  [1, 'excellent'],
])('puts %d into %s', (score, label) => {
  expect(tierOf(score, tiers)).toBe(label);
});

it('gives no tier below the lowest line', () => {
  expect(tierOf(-0.1, tiers)).toBeUndefined();
});
