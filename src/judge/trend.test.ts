import { expect, it } from 'vitest';
import { trendOf } from './trend.ts';

const recall = { id: 'x/recall', title: 'Recall', unit: 'ratio', better: 'higher' } as const;
const series = (...values: number[]) =>
  values.map((value, i) => ({ runId: `run ${i}`, at: `2026-01-0${i + 1}T00:00:00.000Z`, value }));

it('alerts on three declines in a row', () => {
  expect(trendOf(recall, series(0.8, 0.78, 0.76, 0.74))).toMatchObject({ declines: 3, alert: true });
});

it('does not count a fall of one point or less', () => {
  expect(trendOf(recall, series(0.8, 0.79, 0.78, 0.77))).toMatchObject({ declines: 0, alert: false });
});

it('counts only the latest declines', () => {
  expect(trendOf(recall, series(0.9, 0.8, 0.7, 0.6, 0.75))).toMatchObject({ declines: 0, alert: false });
});

it('knows that a rising rate is a decline when lower is better', () => {
  expect(trendOf({ ...recall, better: 'lower' }, series(0.0, 0.02, 0.04, 0.06)).alert).toBe(true);
});
