import { expect, it } from 'vitest';
import { compareSides } from '../../operations/workflow/compare-workflows.ts';
import { armOf, truthIn } from '../testing/arms.ts';
import { compareView } from './comparison.ts';

const TRUTH = truthIn('T1', [
  { severity: 'CRITICAL' },
  ...Array.from({ length: 11 }, () => ({ severity: 'MINOR' as const })),
]);
const RARE = truthIn('T2', [{ severity: 'MINOR' }]);
const NOWHERE = { title: 'somewhere else', file: 'other.ts' };

const sideOf = (name: string, found: readonly number[]) => ({
  name,
  runs: [
    ...armOf(
      name,
      TRUTH,
      [found, found, found].map((one) => [...one, NOWHERE]),
    ).runs,
    ...armOf(name, RARE, [[1]]).runs,
  ],
});

const document = compareView(compareSides(sideOf('a', [1, 2]), sideOf('b', [2, 3, 4, 5, 6, 7, 8])), [], {
  words: ['a', 'b'],
  given: {},
});

it('leads with detection by severity, and does not call lost critical errors an improvement', () => {
  const [first] = document.blocks;
  expect(first).toMatchObject({ kind: 'table', title: 'Detection by severity' });
  const rows = first?.kind === 'table' ? first.rows : [];
  expect(rows.map(({ metric }) => metric)).toEqual(['critical', 'important', 'minor']);
  expect(rows[0]).toMatchObject({ change: { value: -100 } });
  expect(document.title).toBe('a → b: mixed: loses critical errors');
});

it('names the tasks left out and the share that nobody has judged', () => {
  const notes = document.notes.join('\n');
  expect(notes).toContain('Left out, for want of runs: T2 (1 run of a, 1 of b).');
  expect(notes).toMatch(/Unjudged: 3 of \d+ findings of a \(/);
});

it('fits a screen: a row that says most, the rest on demand, and nothing twice', () => {
  const better = compareView(compareSides(sideOf('a', [1, 2]), sideOf('b', [1, 2, 3, 4, 5, 6, 7, 8])));
  const tables = better.blocks.filter((block) => block.kind === 'table' && block.folded !== true);
  for (const table of tables.slice(1)) expect(table).toMatchObject({ limit: 5 });
  const text = JSON.stringify(better);
  expect(text.split('false alarms of that rule').length - 1).toBeLessThanOrEqual(1);
  expect(text.split('tasks with 3 runs each are needed').length - 1).toBe(1);
});

it('draws the change in points, which is no share', () => {
  const charts = document.blocks.flatMap((block) => (block.kind === 'chart' ? [block.chart] : []));
  const texts = charts
    .flatMap((chart) => (chart.kind === 'intervals' ? chart.rows : []))
    .map(({ text }) => text);
  expect(texts[0]).toMatch(/^[+−][\d.]+ points \[[+−]?[\d.]+, [+−]?[\d.]+\]$/);
});
