import { expect, it } from 'vitest';
import { armOf, truthIn } from '../testing/arms.ts';
import { errorMatrix } from './error-matrix.ts';

const truth = truthIn('T1', [
  { category: 'EDGE', severity: 'MINOR' },
  { category: 'EDGE', severity: 'IMPORTANT' },
  { category: 'EDGE', severity: 'MINOR' },
  { category: 'EDGE', severity: 'CRITICAL' },
]);

it('tells errors found always, sometimes and never, the least found and most severe first', () => {
  const matrix = errorMatrix([armOf('v1', truth, [[1, 2], [1]]), armOf('v2', truth, [[1]])]);
  expect(matrix.map(({ id, often, foundBy }) => [id, often, foundBy])).toEqual([
    ['E4', 'never', []],
    ['E3', 'never', []],
    ['E2', 'sometimes', ['v1']],
    ['E1', 'always', ['v1', 'v2']],
  ]);
});

it('names the finding that found an error in each run', () => {
  const [, , second] = errorMatrix([armOf('v1', truth, [[1, 2], [1]])]);
  expect(second?.arms).toEqual([
    {
      workflow: 'v1',
      found: 1,
      credit: 0.5,
      runs: [
        { run: '1', credit: 1, finding: 'F2' },
        { run: '2', credit: 0 },
      ],
    },
  ]);
});

it('keeps errors of the same name in two tasks apart', () => {
  const other = truthIn('T2', ['EDGE']);
  const matrix = errorMatrix([armOf('v1', truth, [[1]]), armOf('v1', other, [[]])]);
  expect(matrix.filter(({ id }) => id === 'E1').map(({ task, often }) => [task, often])).toEqual([
    ['T2', 'never'],
    ['T1', 'always'],
  ]);
});
