import { describe, expect, it } from 'vitest';
import { armOf, truthIn } from '../testing/arms.ts';
import { CATEGORIES } from '../truth.ts';
import { categoryHeatmap } from './category-heatmap.ts';
import type { ExaminedArm } from './error-matrix.ts';

const heatmapOf = (...arms: ExaminedArm[]) => categoryHeatmap(arms.flatMap(({ runs }) => runs));
const cellsOf = (heatmap: ReturnType<typeof heatmapOf>, row = 0) =>
  Object.fromEntries((heatmap.rows[row]?.cells ?? []).map((cell) => [cell.category, cell]));

describe('the category heatmap', () => {
  it('adds the mean credit over runs, so that k may be a fraction of n', () => {
    const truth = truthIn('T1', ['EDGE', 'EDGE', 'EDGE', 'EDGE', 'SECURE']);
    // EDGE: E1 in both runs, E2 and E3 in one of two, E4 never: 1 + 0.5 + 0.5 + 0 = 2 of 4.
    const { EDGE, SECURE } = cellsOf(
      heatmapOf(
        armOf('v1', truth, [
          [1, 2, 5],
          [1, 3, 5],
        ]),
      ),
    );
    expect(EDGE).toMatchObject({ detected: 2, errors: 4, rate: 0.5, mark: '~', few: true });
    expect(SECURE).toMatchObject({ detected: 1, errors: 1, rate: 1, mark: '✓', few: true });
  });

  it('has the documented columns and leaves a category without expected errors empty', () => {
    const heatmap = heatmapOf(armOf('v1', truthIn('T1', ['EDGE']), [[1]]));
    expect(heatmap.categories).toEqual(CATEGORIES);
    expect(heatmap.rows[0]?.cells.map(({ category }) => category)).toEqual(['EDGE']);
    expect(heatmap.rows[0]).toMatchObject({ cc: { value: 10 }, ccPresent: { value: 100 } });
  });

  it.each([
    [
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
      '~',
      0.75,
    ],
    [
      [
        [1, 2, 3, 4],
        [1, 2, 3],
      ],
      '✓',
      0.875,
    ],
    [
      [
        [1, 2],
        [1, 2],
      ],
      '~',
      0.5,
    ],
    [[[1, 2], [1]], '✗', 0.375],
  ] as const)('puts the lines of the legend where they are documented: %j is %s', (found, mark, rate) => {
    const truth = truthIn('T1', ['EDGE', 'EDGE', 'EDGE', 'EDGE']);
    expect(cellsOf(heatmapOf(armOf('v1', truth, found))).EDGE).toMatchObject({ mark, rate });
  });

  it('marks cells under five errors and no others', () => {
    const five = truthIn(
      'T1',
      Array.from({ length: 5 }, () => 'EDGE'),
    );
    expect(cellsOf(heatmapOf(armOf('v1', five, [[1]]))).EDGE?.few).toBe(false);
    expect(cellsOf(heatmapOf(armOf('v1', truthIn('T1', ['EDGE']), [[1]]))).EDGE?.few).toBe(true);
  });

  it('calls a low category a blind spot only from three tasks with it on', () => {
    const tasks = ['T1', 'T2', 'T3'].map((task) => truthIn(task, ['EDGE', 'SECURE']));
    const on = (count: number) =>
      cellsOf(heatmapOf(...tasks.slice(0, count).map((truth) => armOf('v1', truth, [[2], [2]]))));
    expect(on(2).EDGE).toMatchObject({ tasks: 2, blindSpot: 'too few tasks' });
    expect(on(3).EDGE).toMatchObject({ tasks: 3, errors: 3, detected: 0, blindSpot: 'yes' });
    expect(on(3).SECURE?.blindSpot).toBeUndefined();
  });

  it('keeps workflows apart, and runs of one task from weighing more than another task', () => {
    const [one, two] = [truthIn('T1', ['EDGE']), truthIn('T2', ['EDGE'])];
    const heatmap = heatmapOf(
      armOf('v1', one, [[1], [1], [1]]),
      armOf('v1', two, [[]]),
      armOf('v2', one, [[]]),
    );
    expect(heatmap.rows.map(({ workflow }) => workflow)).toEqual(['v1', 'v2']);
    expect(cellsOf(heatmap).EDGE).toMatchObject({ errors: 2, detected: 1 });
    expect(cellsOf(heatmap, 1).EDGE).toMatchObject({ errors: 1, detected: 0 });
  });
});
