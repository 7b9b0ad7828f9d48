import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJsonl, rowsAsJson } from './jsonl.ts';
import { VERDICT } from './testing/fixture.ts';
import { anyVerdict } from './testing/fixture-arbitrary.ts';
import { verdictRows } from './verdict-rows.ts';

test('each line is one case; unmeasured is null', () => {
  const lines = renderJsonl(rowsAsJson(verdictRows(VERDICT)))
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(12);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    case: 'contract-lease-2024',
    zone: 'pass',
    concept_recall: 0.82,
    concept_precision: 0.95,
    relation_recall: null,
    invented_rate: 0.04,
    cost: 0.41,
    notes: '',
    error: '',
  });
});

test('any verdict gives as many lines as it has cases, each of them JSON', () => {
  fc.assert(
    fc.property(anyVerdict, (verdict) => {
      const lines = renderJsonl(rowsAsJson(verdictRows(verdict)))
        .split('\n')
        .slice(0, -1);
      expect(lines.map((line) => JSON.parse(line).case)).toEqual(verdict.cases.map((item) => item.id));
    }),
  );
});
