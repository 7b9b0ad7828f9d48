import { describe, expect, test } from 'vitest';
import { layOut, splitAtPoint } from './table-layout.ts';
import type { TextTable } from './text-table.ts';

const table: TextTable = {
  title: 'any',
  columns: [
    { title: 'name', align: 'start', shorten: 'middle' },
    { title: 'value', align: 'point', priority: 1 },
    { title: 'why', align: 'start', shorten: 'end', priority: 2 },
  ],
  rows: [
    [{ text: 'a-rather-long-name-of-a-case' }, { text: '72.4%' }, { text: 'because of several reasons' }],
  ],
};

const texts = (width: number) => layOut(table, table.rows, width).rows[0]?.map((cell) => cell.text.trim());

describe('fitting a table', () => {
  test('with enough room nothing is cut', () => {
    expect(texts(80)).toEqual(['a-rather-long-name-of-a-case', '72.4%', 'because of several reasons']);
  });

  test('texts give first, names from their middle', () => {
    expect(texts(44)).toEqual(['a-rather-l…a-case', '72.4%', 'because of severa…']);
  });

  test('then the column with the highest drop number goes, and is named', () => {
    expect(layOut(table, table.rows, 24).dropped).toEqual(['why']);
    expect(texts(24)).toEqual(['a-rather-l…a-case', '72.4%']);
  });

  test('the first column stays whatever the width', () => {
    expect(texts(6)).toEqual(['a-r…se']);
  });
});

test('a number is split at its point, whatever stands around it', () => {
  expect(splitAtPoint('−$1,520.30')).toEqual(['−$1,520', '.30']);
  expect(splitAtPoint('+4.0 points')).toEqual(['+4', '.0 points']);
  expect(splitAtPoint('820 ms')).toEqual(['820', ' ms']);
  expect(splitAtPoint('1m 12s')).toEqual(['1m 12s', '']);
  expect(splitAtPoint('–')).toEqual(['–', '']);
});

test('keeps names apart that are alike at both ends', () => {
  const names = ['review-with-a-long-name-alpha-2026-run', 'review-with-a-long-name-gamma-2026-run'];
  const alike: TextTable = {
    title: 'any',
    columns: [{ title: 'name', align: 'start', shorten: 'middle' }],
    rows: [],
  };
  const rows = [...names, names[0] ?? ''].map((text) => [{ text }]);
  const shown = layOut({ ...alike, rows }, rows, 14).rows.map(([cell]) => cell?.text);
  expect(new Set(shown).size).toBe(2);
  expect(shown[2]).toBe(shown[0]);
  for (const text of shown) expect(text?.length).toBeLessThanOrEqual(14);
});
