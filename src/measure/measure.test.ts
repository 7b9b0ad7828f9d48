import { expect, it } from 'vitest';
import { measureCases } from './measure.ts';
import type { Metric } from './metric.ts';
import { meanOverCases, type Share, shareOf } from './over-cases.ts';

const share: Metric<Share> = {
  id: 'x/share',
  title: 'Share',
  question: 'How much?',
  formula: 'count / of',
  unit: 'ratio',
  range: [0, 1],
  better: 'higher',
  example: { given: '1 of 2', cases: [{ count: 1, of: 2 }], value: 0.5 },
  compute: (cases) => meanOverCases(cases, (one) => shareOf(one, 'nothing to divide by')),
};
const one = { id: 'one', evidence: { count: 16, of: 20 }, notes: [] };
const two = { id: 'two', evidence: { count: 3, of: 4 }, notes: [] };

it('counts cases in a suite and what was divided by in a case, also when the suite has one case', () => {
  const alone = measureCases([share], [one]);
  expect(alone.suite['x/share']).toMatchObject({ value: 0.8, n: 1 });
  expect(alone.perCase.one?.['x/share']).toMatchObject({ value: 0.8, n: 20 });
  const both = measureCases([share], [one, two]);
  expect(both.suite['x/share']).toMatchObject({ n: 2 });
  expect(both.perCase.two?.['x/share']).toMatchObject({ n: 4 });
});

it('leaves an errored case out', () => {
  const { suite, perCase } = measureCases([share], [one, { id: 'bad', error: 'not JSON' }]);
  expect(suite['x/share']).toMatchObject({ value: 0.8, n: 1 });
  expect(Object.keys(perCase)).toEqual(['one']);
});
