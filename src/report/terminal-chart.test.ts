import { expect, test } from 'vitest';
import type { Chart } from './chart.ts';
import { renderTerminal } from './terminal.ts';

function draw(chart: Chart): string {
  const document = {
    title: '',
    answer: 'Charts.',
    blocks: [{ kind: 'chart', chart } as const],
    notes: [],
    next: [],
  };
  return renderTerminal(document, { width: 80, colour: false });
}

test('intervals are whiskers on one scale with the shape of their zone', () => {
  const chart: Chart = {
    kind: 'intervals',
    title: 'Recall is short of its target',
    unit: 'ratio',
    rows: [
      { label: 'Recall', value: 0.5, low: 0.25, high: 0.75, zone: 'fail' },
      { label: 'Precision', value: 1, low: 0.9, high: 1, zone: 'excellent' },
      { label: 'Invented', value: 0, lowerIsBetter: true },
    ],
  };
  expect(draw(chart)).toMatchInlineSnapshot(`
    "Charts.

    Recall is short of its target
      Recall            ├─────✗────┤        50.0% [25.0, 75.0]
      Precision                        ├─●  100.0% [90.0, 100.0]
      Invented ↓  •                         0.0%
    "
  `);
});

test('a histogram is bars from zero, and what is not zero is seen', () => {
  const bins = [
    { from: 0, to: 0.5, count: 1 },
    { from: 0.5, to: 1, count: 1000 },
    { from: 1, to: 1.5, count: 0 },
  ];
  expect(
    draw({ kind: 'histogram', title: 'Most are high', unit: 'score', label: 'quality', bins }),
  ).toMatchInlineSnapshot(`
    "Charts.

    Most are high
      quality       count
      0.00 to 0.50      1  █
      0.50 to 1.00  1,000  ████████████████████████
      1.00 to 1.50      0
    "
  `);
});

test('points and heatmaps become their values', () => {
  const scatter: Chart = {
    kind: 'scatter',
    title: 'Quality costs',
    x: { label: 'cost', unit: 'usd' },
    y: { label: 'quality', unit: 'score' },
    points: [{ label: 'large', x: 0.47, y: 0.84, low: 0.8, high: 0.88, group: 'a' }],
    frontier: [{ x: 0.47, y: 0.84 }],
  };
  expect(draw(scatter)).toContain('0.84 [0.80, 0.88]');
  const heatmap: Chart = {
    kind: 'heatmap',
    title: 'Found',
    rows: ['logic'],
    columns: ['easy', 'hard'],
    cells: [{ row: 'logic', column: 'easy', value: 0.5, text: '5/10' }],
    legend: 'found of planted',
  };
  expect(draw(heatmap)).toMatch(/logic +5\/10 +–/);
});
