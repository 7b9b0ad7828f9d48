import { describe, expect, it } from 'vitest';
import { evidenceWith, SIX_ERRORS } from './example-evidence.ts';
import {
  cellOfRuns,
  cellOfTallies,
  type Entrant,
  f1Of,
  rank,
  swapTest,
  type TaskCell,
} from './leaderboard.ts';

const tally = (expected: number, matched: number, reported: number) =>
  cellOfTallies([{ expected, matched, reported }]);

const entrant = (workflow: string, cells: readonly TaskCell[]): Entrant => ({
  workflow,
  tasks: new Map(cells.map((cell, i) => [`t${i}`, cell])),
});

describe('what a workflow did on a task', () => {
  it('is counted once, however often it was run', () => {
    const run = evidenceWith({ errors: SIX_ERRORS, others: { FALSE: 2, UNRESOLVED: 3, DUPLICATE: 1 } });
    const cell = cellOfRuns([run]);
    // 3 in full and 1 in part of 6; 4 right of 4 + 2 + 3, the duplicate left out.
    expect(cell).toEqual({ expected: 6, found: 3.5, reported: 9, right: 4, unjudged: 3, runs: 1 });
    expect(cellOfRuns([run, run, run])).toEqual({ ...cell, runs: 3 });
  });

  it('has the harmonic mean of detection and precision as F1, and 0 for silence', () => {
    expect(f1Of(tally(4, 2, 8))).toBeCloseTo((2 * 0.5 * 0.25) / 0.75, 12);
    expect(f1Of(tally(4, 0, 0))).toBe(0);
    expect(f1Of(tally(0, 0, 3))).toBeUndefined();
  });
});

describe('a leaderboard', () => {
  const good = Array.from({ length: 10 }, (_, i) => tally(4, i === 0 ? 1 : 3, 5));
  const poor = Array.from({ length: 10 }, () => tally(4, 1, 5));

  it('has one row for each workflow over all tasks, best first, with intervals over tasks', () => {
    const { rows, tasks } = rank([entrant('poor', poor), entrant('good', good)]);
    expect(tasks).toHaveLength(10);
    expect(rows.map(({ workflow, tasks: n }) => [workflow, n])).toEqual([
      ['good', 10],
      ['poor', 10],
    ]);
    // 28 of 40 found, 28 of 50 right.
    expect(rows[0]).toMatchObject({ dr: { value: 70 }, precision: { value: 0.56 } });
    const { f1 } = rows[0] ?? {};
    expect(f1).toMatchObject({ value: expect.closeTo((2 * 0.7 * 0.56) / 1.26, 12) as number, n: 10 });
    expect(f1?.measured && f1.low !== undefined && f1.low < f1.value).toBe(true);
  });

  it('tells apart by pairs that are corrected for their number', () => {
    const { rows, pairs } = rank([entrant('poor', poor), entrant('good', good), entrant('same', good)]);
    expect(pairs.map(({ better, worse }) => [better, worse])).toContainEqual(['good', 'poor']);
    // Nine tasks differ, so the smallest p is 2 / 2⁹, times three pairs.
    expect(pairs[0]).toMatchObject({ p: 2 / 512, holm: 6 / 512 });
    expect(pairs.at(-1)).toMatchObject({ difference: 0, p: 1, holm: 1 });
    expect(rows.map(({ betterThan, worseThan }) => [betterThan, worseThan])).toEqual([
      [1, 0],
      [1, 0],
      [0, 2],
    ]);
  });

  it('names workflows that were not run on every task, and compares on what both have', () => {
    const { incomplete, pairs } = rank([entrant('a', good), entrant('b', poor.slice(0, 4))]);
    expect(incomplete).toEqual([{ workflow: 'b', missing: 6 }]);
    expect(pairs[0]?.tasks).toBe(4);
  });

  it('has no interval for a single task, and does not mind the order of files', () => {
    expect(rank([entrant('a', [tally(4, 2, 4)])]).rows[0]?.f1).toMatchObject({ value: 0.5, n: 1 });
    const turned = { workflow: 'good', tasks: new Map([...entrant('good', good).tasks].toReversed()) };
    expect(rank([turned]).rows).toEqual(rank([entrant('good', good)]).rows);
  });
});

describe('the test of a pair', () => {
  it('is the same whichever of the two comes first, also when exchanges are drawn', () => {
    const pairs = Array.from({ length: 30 }, (_, i) => [tally(5, i % 4, 6), tally(5, i % 3, 6)] as const);
    const there = swapTest(pairs);
    const back = swapTest(pairs.map(([a, b]) => [b, a] as const));
    expect(there?.p).toBe(back?.p);
    expect(there?.difference).toBeCloseTo(-(back?.difference ?? 0), 12);
  });
});
