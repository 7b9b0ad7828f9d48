import { expect, it } from 'vitest';
import { armOf, placeOf, truthIn } from '../testing/arms.ts';
import { concernTable, errorMatrix } from './error-matrix.ts';

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

const concernTruth = truthIn(
  'T1',
  ['EDGE', 'EDGE', 'EDGE', 'EDGE'].map((category) => ({ category, severity: 'IMPORTANT' })),
);
const found = (number: number, concern: string) => ({ title: 'x', concern, ...placeOf(number) });

it('gives points per method over the runs and calls those under half of the mean low', () => {
  const concerns = [
    { id: 'A1', layer: 'A', methods: ['one'] },
    { id: 'B1', layer: 'B', methods: ['one', 'two'] },
    { id: 'C1', layer: 'C', methods: ['one', 'two', 'three', 'four'] },
  ];
  // Of 2 points each: A1 4 / 1 and 2 / 1, mean 3; B1 2 / 2 both times, 1; C1 nothing, 0. Their mean is 4 / 3.
  const arm = armOf(
    'v1',
    concernTruth,
    [
      [found(1, 'A1'), found(2, 'A1'), found(3, 'B1')],
      [found(1, 'A1'), found(3, 'B1')],
    ],
    { concerns },
  );
  expect(concernTable([arm]).map(({ id, efficiency, low, runs }) => ({ id, efficiency, low, runs }))).toEqual(
    [
      { id: 'C1', efficiency: { measured: true, value: 0, n: 2 }, low: true, runs: 2 },
      { id: 'B1', efficiency: { measured: true, value: 1, n: 2 }, low: false, runs: 2 },
      { id: 'A1', efficiency: { measured: true, value: 3, n: 2 }, low: false, runs: 2 },
    ],
  );
});

it('leaves a concern without methods unmeasured and never calls it low', () => {
  expect(concernTable([armOf('v1', concernTruth, [[found(1, 'A1')]])])).toMatchObject([
    { id: 'A1', points: 2, efficiency: { measured: false }, low: false },
  ]);
});

it('has nothing to say where no finding names a concern', () => {
  expect(concernTable([armOf('v1', concernTruth, [[1]])])).toEqual([]);
});
