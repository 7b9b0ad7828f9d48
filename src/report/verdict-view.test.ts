import { describe, expect, test } from 'vitest';
import { gate } from '../judge/gate.ts';
import type { Verdict } from '../judge/verdict.ts';
import { EMPTY_VERDICT, PARTLY_MEASURED_VERDICT, PASSED_VERDICT, VERDICT } from './testing/fixture.ts';
import { cellText } from './text-table.ts';
import { verdictRows, verdictView } from './verdict-view.ts';
import type { TableBlock } from './view.ts';

describe('the answer', () => {
  test('names what blocks, not what warns', () => {
    expect(verdictView(VERDICT).answer).toBe(
      'Concept recall fell by 8.0 points since the baseline; it needs an approval.',
    );
  });

  test('says how many reasons it leaves out', () => {
    const checks = ['one', 'two', 'three', 'four'].map((reason) => ({
      id: reason,
      outcome: 'blocked' as const,
      reason,
    }));
    const document = verdictView({ ...VERDICT, gate: gate(checks) });
    expect(document.answer).toBe('one; two; and 2 more reasons.');
    expect(document.blocks[0]).toMatchObject({
      kind: 'list',
      items: ['✗ blocked: three', '✗ blocked: four'],
    });
  });

  test('a pass with a warning names the warning', () => {
    const checks = [{ id: 'a', outcome: 'warning' as const, reason: 'Cost is worse than the warning line' }];
    const document = verdictView({ ...PASSED_VERDICT, gate: gate(checks) });
    expect(document.answer).toBe(
      'the metric meets its target. 1 warning: Cost is worse than the warning line.',
    );
    expect(document.blocks.some((block) => block.kind === 'list')).toBe(false);
  });

  test('nothing measured is inconclusive', () => {
    const document = verdictView(EMPTY_VERDICT);
    expect([document.verdict, document.answer]).toEqual(['inconclusive', 'nothing was measured.']);
  });

  test('a run that could not start says why', () => {
    const stopped: Verdict = {
      ...EMPTY_VERDICT,
      gate: { verdict: 'could not run', exitCode: 3, checks: [], reasons: ['the folder is empty'] },
    };
    expect(verdictView(stopped).answer).toBe('the folder is empty.');
  });
});

function attention(verdict: Verdict): TableBlock | undefined {
  return verdictView(verdict).blocks.find((block) => block.kind === 'table' && block.folded !== true) as
    | TableBlock
    | undefined;
}

describe('cases that need attention', () => {
  test('come worst first, with what is wrong', () => {
    const rows = attention(VERDICT)?.rows ?? [];
    expect(rows.map((row) => row.zone)).toEqual([
      'fail',
      'fail',
      'fail',
      'error',
      'below target',
      'below target',
      'below target',
    ]);
    expect(cellText(rows[0]?.why, 'text').text).toBe(
      'Concept recall 58.0%, Invented concepts 24.0%, invented: "warranty" | `term`',
    );
    expect(rows[3]?.why).toContain('not JSON');
  });
});

describe('charts', () => {
  test('shares of any unit stand on one scale with their own words', () => {
    const chart = verdictView(VERDICT).blocks.find((block) => block.kind === 'chart');
    const rows = chart?.kind === 'chart' && chart.chart.kind === 'intervals' ? chart.chart.rows : [];
    expect(rows.map((row) => [row.label, row.value, row.text])).toEqual([
      ['Concept recall', 0.724, '72.4% [68.1, 76.2]'],
      ['Concept precision', 0.915, '91.5% [87.4, 94.9]'],
      ['Invented concepts', 0.063, '6.3% [3.1, 11.8]'],
      ['Quote accuracy', 0.9997, '>99.9% [98.2, 100.0]'],
      ['Overall', 0.6525, '0.65 [0.60, 0.70]'],
    ]);
  });

  test('an alert comes before a quiet trend and says what to see', () => {
    const titles = verdictView(VERDICT).blocks.flatMap((block) =>
      block.kind === 'chart' && block.chart.kind === 'series' ? [block.chart.title] : [],
    );
    expect(titles).toEqual(['Concept recall got worse 3 runs in a row', 'Concept precision over 9 runs']);
  });
});

test('changes are sorted from regression to improved, and what is unchanged is one line', () => {
  const { blocks } = verdictView(VERDICT);
  const block = blocks.find((item) => item.kind === 'changes');
  const sizes = block?.kind === 'changes' ? block.metrics.map((metric) => metric.change?.size) : [];
  expect(sizes).toEqual(['regression', 'lost', 'small regression', 'improved', 'improved']);
  const unchanged = blocks.find((item) => item.kind === 'list' && item.title === 'Unchanged');
  expect(unchanged).toMatchObject({ items: [expect.any(String)] });
});

test('notes say what the numbers rest on', () => {
  expect(verdictView(VERDICT).notes).toEqual([
    'These cases are contracts and minutes; nothing is known about other texts.',
    'Relation recall is unmeasured: no case has relations in its golden answer.',
    'Quote accuracy: 3 skipped (quote without a place: 3).',
    '12 cases measured, 3 skipped (golden answer is a draft: 2, output could not be read: 1).',
    'Run run-2026-11-14 at 2026-11-14 09:30 UTC, scorer 0.1.0, truth 7ef1c0de.',
  ]);
});

test('a note says how much of a composite was measured, unless it was all of it', () => {
  expect(verdictView(PARTLY_MEASURED_VERDICT).notes).toContain('Overall: 85% of its weight was measured.');
  expect(verdictView(VERDICT).notes.join()).not.toContain('of its weight');
});

test('the table of all cases shows a coverage that is not whole', () => {
  const keys = (verdict: Verdict) =>
    verdictView(verdict).blocks.flatMap((block) =>
      block.kind === 'table' && block.folded ? block.columns.map(({ key }) => key) : [],
    );
  expect(keys(PARTLY_MEASURED_VERDICT)).toContain('overall_coverage');
  const whole = PARTLY_MEASURED_VERDICT.cases.slice(0, 1);
  expect(keys({ ...PARTLY_MEASURED_VERDICT, cases: whole })).not.toContain('overall_coverage');
});

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
