import { expect, it } from 'vitest';
import { tierOfQ } from './tier.ts';

it.each([
  [1, 'excellent'],
  [0.9, 'excellent'],
  [0.8999, 'good'],
  [0.75, 'good'],
  [0.745, 'acceptable'],
  [0.6, 'acceptable'],
  [0.5999, 'poor'],
  [0.4, 'poor'],
  [0.3999, 'failed'],
  [0, 'failed'],
])('puts a Q of %d into the documented band %s', (q, tier) => {
  expect(tierOfQ(q)).toBe(tier);
});
