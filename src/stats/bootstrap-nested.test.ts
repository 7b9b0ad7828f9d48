import { expect, it } from 'vitest';
import { bootstrapMean } from './bootstrap-mean.ts';
import { bootstrapNested } from './bootstrap-nested.ts';

it('sees what repeats differ by, where all groups have the same mean', () => {
  const groups = Array.from({ length: 5 }, () => [1, 0.5]);
  expect(bootstrapMean(groups.map(() => 0.75))).toBeUndefined();
  const { estimate, interval } = bootstrapNested(groups) ?? {};
  expect(estimate).toBe(0.75);
  // Ten draws of 1 or 0.5: standard error 0.25 / √10 = 0.079, so about 0.75 ± 0.155.
  expect(interval?.low).toBeCloseTo(0.6, 6);
  expect(interval?.high).toBeCloseTo(0.9, 6);
});

it('is close to the plain bootstrap where repeats agree', () => {
  const values = [0.2, 0.4, 0.5, 0.6, 0.7, 0.9];
  const plain = bootstrapMean(values, { method: 'percentile' })?.interval;
  const nested = bootstrapNested(values.map((value) => [value, value]))?.interval;
  expect(nested?.low).toBeCloseTo(plain?.low ?? Number.NaN, 1);
  expect(nested?.high).toBeCloseTo(plain?.high ?? Number.NaN, 1);
});

it('draws from one group alone, and says nothing of none or of equal values', () => {
  expect(bootstrapNested([[1, 0, 1, 0, 1, 1]])?.interval).toBeDefined();
  expect(bootstrapNested([])).toBeUndefined();
  expect(bootstrapNested([[]])).toBeUndefined();
  expect(bootstrapNested([[1, 1], [1]])).toBeUndefined();
});

it('does not depend on the order of groups or of values', () => {
  const one = bootstrapNested([
    [1, 0, 0.5],
    [0.2, 0.9],
    [0.2, 0.3],
  ]);
  const other = bootstrapNested([
    [0.3, 0.2],
    [0.5, 1, 0],
    [0.9, 0.2],
  ]);
  expect(other).toEqual(one);
});
