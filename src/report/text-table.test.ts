import { describe, expect, test } from 'vitest';
import { estimate, unmeasured } from '../measure/metric.ts';
import { cellText, changesTable, metricsTable, styleOf, textTable } from './text-table.ts';
import { type Cell, type CellUnit, plainValue } from './view.ts';

const recall = { id: 'x/recall', title: 'Recall', unit: 'ratio', better: 'higher' } as const;

describe('metrics', () => {
  test('a metric without lines to judge by is not called unmeasured', () => {
    const { rows } = metricsTable({
      kind: 'metrics',
      title: '',
      metrics: [{ ...recall, measurement: estimate(0.5, 3) }],
    });
    expect(rows[0]?.map((cell) => cell.text)).toEqual(['Recall', '50.0%', 'no target', '3']);
  });

  test('the pooled value stands beside the mean over cases, and a metric without one leaves its place empty', () => {
    const metrics = [
      { ...recall, measurement: estimate(0.5, 3, { pooled: 0.6 }) },
      { ...recall, measurement: estimate(0.5, 3) },
      { ...recall, measurement: unmeasured('no evidence') },
    ];
    const block = { kind: 'metrics', title: '', metrics } as const;
    expect(metricsTable(block).columns.at(-1)?.title).toBe('pooled');
    expect(metricsTable(block).rows.map((row) => row.at(-1)?.text)).toEqual(['60.0%', '', '–']);
    expect(metricsTable(block, { pooled: false }).columns.at(-1)?.title).toBe('n');
  });

  test('what was not measured tells its reason on demand', () => {
    const metrics = [{ ...recall, measurement: unmeasured('no evidence') }];
    const { rows } = metricsTable({ kind: 'metrics', title: '', metrics });
    expect(rows[0]?.[1]).toEqual({ text: '–', tone: 'quiet', hint: 'no evidence' });
    expect(rows[0]?.[2]?.text).toBe('– unmeasured');
  });
});

test('where lower is better, change and interval are turned around together', () => {
  const paired = { cases: 9, points: 2, low: -1, high: 5, p: 0.2, verdict: 'noise' } as const;
  const change = { baseline: estimate(0.1, 9), size: 'improved', points: 2, paired } as const;
  const metrics = [{ ...recall, better: 'lower', measurement: estimate(0.08, 9), change } as const];
  const { rows } = changesTable({ kind: 'changes', title: '', metrics });
  expect(rows[0]?.map((cell) => cell.text)).toEqual([
    'Recall',
    '10.0%',
    '8.0%',
    expect.any(String),
    '−2.0 points',
    'improved',
    'noise',
    '[−5.0, +1.0]',
  ]);
});

test('cells are written in the style of their column', () => {
  expect(cellText(0.724, 'ratio').text).toBe('72.4%');
  expect(cellText(72_000, 'duration-ms').text).toBe('1m 12s');
  expect(cellText(undefined, 'usd').text).toBe('–');
  expect(cellText('fail', 'zone')).toEqual({ text: '✗ fail', tone: 'bad' });
  expect(cellText(undefined, 'zone').text).toBe('– unmeasured');
  expect(cellText('\u001b[2J', 'text').text).toBe('␛[2J');
  expect(cellText(29.06, 'signed').text).toBe('+29.1');
  expect(cellText({ from: 97, to: 1100 }, 'count').text).toBe('97–1,100');
  expect(styleOf('ms')).toBe('duration-ms');
});

test('a cell with several values names each of them, and keeps them as values', () => {
  const zones = { fail: 0.6, target: 0.85, excellent: 0.9 };
  const short = { ...recall, zones, measurement: estimate(0.8499, 3) };
  const cell: Cell = [{ name: 'dr', value: 3, unit: 'times' }, short, 'a note'];
  // Beside its line a value never looks as if it had reached it.
  expect(cellText(cell, 'text').text).toBe('dr 3×, Recall 84.99%, a note');
  expect(plainValue(cell)).toBe('dr 3, Recall 0.8499, a note');
});

test('a key that every object inherits is unmeasured, not code', () => {
  const table = textTable({
    kind: 'table',
    title: '',
    columns: [{ key: 'constructor', title: 'constructor', unit: 'text' }],
    rows: [{}],
  });
  expect(table.rows[0]?.[0]?.text).toBe('–');
});

test('a cell is a value, and its column says how people read it', () => {
  const text = (cell: Cell, unit: CellUnit) => cellText(cell, unit).text;
  expect(text(estimate(0.5, 8, { low: 0.2, high: 0.8 }), 'ratio')).toBe('50.0% [20.0%, 80.0%]');
  expect(cellText(unmeasured('no runs'), 'ratio')).toMatchObject({ text: '–', hint: 'no runs' });
  expect(text({ count: 3, of: 5 }, 'count')).toBe('3/5');
  expect(text({ before: estimate(1, 1), now: unmeasured('gone') }, 'score')).toBe('1.00 → –');
  expect(text('2026-01-31T09:30:12.000Z', 'time')).toBe('2026-01-31 09:30');
  expect(text('0123456789abcdef', 'id')).toBe('01234567');
  expect(text(['a', 'b'], 'text')).toBe('a, b');
});
