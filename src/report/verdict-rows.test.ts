import { expect, test } from 'vitest';
import { PASSED_VERDICT, VERDICT } from './fixture.ts';
import { verdictRows } from './verdict-rows.ts';

test('each case is a row and each metric a column in the order of the verdict', () => {
  const table = verdictRows(VERDICT);
  expect(table.columns.map((column) => column.key)).toEqual([
    'case',
    'zone',
    'concept_recall',
    'concept_precision',
    'relation_recall',
    'invented_rate',
    'cost',
    'notes',
    'error',
  ]);
  expect(table.rows).toHaveLength(12);
});

test('columns that would be empty in every row are left out', () => {
  const keys = verdictRows(PASSED_VERDICT).columns.map((column) => column.key);
  expect(keys).not.toContain('notes');
  expect(keys).not.toContain('error');
});
