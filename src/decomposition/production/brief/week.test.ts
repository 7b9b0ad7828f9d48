import { expect, it } from 'vitest';
import { cellWith } from '../example-cell.ts';
import { weekDays } from './week.ts';

const on = (day: string, concepts: number, n = 60) => ({
  ...cellWith(Array.from({ length: n }, (_, i) => ({ concepts: concepts + (i % 3) }))),
  at: `${day}T10:00:00.000Z`,
});

it('tells each day of a week what users said, what alerted, and what moved against the week before', () => {
  const days = weekDays(
    {
      before: '2026-10-26T00:00:00.000Z',
      since: '2026-11-02T00:00:00.000Z',
      until: '2026-11-05T00:00:00.000Z',
    },
    {
      before: [on('2026-10-28', 20, 200)],
      now: [on('2026-11-02', 20), on('2026-11-03', 12), on('2026-11-04', 12, 10)],
    },
    [
      { outputId: 'a', thumb: 'up', at: '2026-11-02T11:00:00.000Z' },
      { outputId: 'b', score: 1, at: '2026-11-02T23:59:00.000Z' },
      { outputId: 'c', score: 3, at: '2026-11-03T11:00:00.000Z' },
    ],
    [{ rule: 'concepts-few', at: '2026-11-03T12:00:00.000Z' }],
  );
  expect(days).toEqual([
    { day: '2026-11-02', up: 1, down: 1, alerts: [], moved: [] },
    { day: '2026-11-03', up: 0, down: 0, alerts: ['concepts-few'], moved: ['concepts'] },
    { day: '2026-11-04', up: 0, down: 0, alerts: [], moved: undefined },
  ]);
});
