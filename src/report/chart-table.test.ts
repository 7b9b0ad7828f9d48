import { expect, test } from 'vitest';
import { chartTable } from './chart-table.ts';
import { CHARTS } from './testing/fixture-charts.ts';

const rowsOf = (kind: string) => {
  const chart = CHARTS.find((item) => item.kind === kind);
  return chart === undefined ? [] : chartTable(chart).rows.map((row) => row.map((cell) => cell.text));
};

test('intervals are listed with value, interval and zone', () => {
  expect(rowsOf('intervals')[0]).toEqual(['Concept precision', '95.0% [90.0, 98.0]', '● excellent']);
  expect(rowsOf('intervals')[5]?.[0]).toBe('Invented <script> (lower is better)');
});

test('series are listed point by point', () => {
  expect(rowsOf('series')[0]).toEqual(['large', '2026-09-19 00:00 UTC', '80.0% [76.0, 83.0]']);
});

test('bins are listed with their bounds', () => {
  expect(rowsOf('histogram')[7]).toEqual(['0.70 to 0.80', '430']);
});

test('points say whether anything beats them', () => {
  expect(rowsOf('scatter').map((row) => row.at(-1))).toEqual(['yes', 'yes', 'yes', '', '', 'yes']);
});

test('a cell without evidence is unmeasured', () => {
  expect(rowsOf('heatmap')[1]).toEqual(['naming', '7/10', '10/10', '–', '5/10']);
});
