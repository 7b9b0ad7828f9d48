import { expect, it } from 'vitest';
import { computeOnce } from './compute-once.ts';
import { estimate } from './metric.ts';

it('computes once for the same cases, and again for others', () => {
  const asked: number[] = [];
  const compute = computeOnce((cases: readonly { readonly value: number }[]) => {
    asked.push(cases.length);
    return estimate(
      cases.reduce((sum, { value }) => sum + value, 0),
      cases.length,
    );
  });
  const [one, two] = [{ value: 1 }, { value: 2 }];
  expect([compute([one, two]), compute([one, two])]).toEqual([estimate(3, 2), estimate(3, 2)]);
  expect(compute([two])).toEqual(estimate(2, 1));
  // The same value is not the same case.
  expect(compute([{ value: 2 }])).toEqual(estimate(2, 1));
  expect(asked).toEqual([2, 1, 1]);
});
