import { expect, test } from 'vitest';
import { PARTLY_MEASURED_VERDICT, PASSED_VERDICT, VERDICT } from './testing/fixture.ts';
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

test('a composite has its coverage in the column beside it', () => {
  const table = verdictRows(PARTLY_MEASURED_VERDICT);
  expect(table.columns.map((column) => column.key)).toEqual(['case', 'zone', 'overall', 'overall_coverage']);
  expect(table.rows.map((row) => row.overall_coverage)).toEqual([1, 0.7]);
});

test('columns that would be empty in every row are left out', () => {
  const keys = verdictRows(PASSED_VERDICT).columns.map((column) => column.key);
  expect(keys).not.toContain('notes');
  expect(keys).not.toContain('error');
});
