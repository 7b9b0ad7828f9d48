/** One chart of each kind with long names, intervals and gaps. Only tests import this. */
import type { Chart } from '../chart.ts';

function weekly(values: readonly number[]): { at: string; value: number; low: number; high: number }[] {
  return values.map((value, week) => {
    const at = new Date(Date.UTC(2026, 8, 19 + 7 * week)).toISOString();
    return { at, value, low: value - 0.04, high: value + 0.03 };
  });
}

const KINDS = ['logic', 'naming', 'security', 'a kind of error with a long name'];
const LEVELS = ['easy', 'medium', 'hard', 'very hard indeed'];

export const CHARTS: readonly Chart[] = [
  {
    kind: 'earned',
    title: 'Half of what was lost was lost in the outcome',
    parts: [
      { label: 'Completion', weight: 0.15, earned: 0.07 },
      { label: 'A part with a name that is too long for its place', weight: 0.35, earned: 0 },
      { label: 'Outcome', weight: 0.5, earned: 0.5 },
      { label: 'Efficiency', weight: 0 },
    ],
  },
  {
    kind: 'intervals',
    title: 'Two of six miss their target',
    unit: 'ratio',
    rows: [
      { label: 'Concept precision', value: 0.95, low: 0.9, high: 0.98, zone: 'excellent', target: 0.75 },
      {
        label: 'A metric whose name is longer than most people would like',
        value: 0.8,
        low: 0.7,
        high: 0.88,
        zone: 'pass',
      },
      { label: 'Concept recall', value: 0.66, low: 0.4, high: 0.8, zone: 'below target', target: 0.75 },
      { label: '契約書-賃貸-2024', value: 0.3, low: 0.1, high: 0.5, zone: 'fail', target: 0.75 },
      { label: 'Unjudged', value: 0.5 },
      {
        label: 'Invented <script>',
        value: 0.05,
        low: 0,
        high: 0.08,
        zone: 'pass',
        lowerIsBetter: true,
        target: 0.1,
      },
    ],
    lines: [{ label: 'chance', value: 0.5 }],
  },
  {
    kind: 'series',
    title: 'The small model catches up',
    unit: 'ratio',
    series: [
      { label: 'large', points: weekly([0.8, 0.81, 0.82, 0.83, 0.82]) },
      { label: 'medium', points: weekly([0.78, 0.8, 0.79, 0.82, 0.818]) },
      { label: 'a model with a very long name indeed 2026', points: weekly([0.6, 0.61, 0.66, 0.7, 0.71]) },
    ],
    lines: [{ label: 'target', value: 0.75 }],
  },
  {
    kind: 'histogram',
    title: 'Most lie above 0.7',
    unit: 'score',
    label: 'quality',
    bins: [3, 8, 12, 20, 41, 80, 210, 430, 512, 0].map((count, bin) => ({
      from: bin / 10,
      to: (bin + 1) / 10,
      count,
    })),
  },
  {
    kind: 'scatter',
    title: 'The large model costs four times as much',
    x: { label: 'cost per case', unit: 'usd', scale: 'log' },
    y: { label: 'quality', unit: 'score' },
    points: [
      { label: 'large', x: 0.47, y: 0.84, low: 0.8, high: 0.88, group: 'one' },
      { label: 'medium', x: 0.12, y: 0.81, low: 0.76, high: 0.85, group: 'one' },
      { label: 'small', x: 0.02, y: 0.7, low: 0.65, high: 0.75, group: 'one' },
      { label: 'other-large', x: 0.4, y: 0.8, low: 0.7, high: 0.9, group: 'two' },
      { label: 'other-medium', x: 0.11, y: 0.8, group: 'two' },
      { label: 'local', x: 0.004, y: 0.5, group: 'own' },
    ],
    frontier: [
      { x: 0.004, y: 0.5 },
      { x: 0.02, y: 0.7 },
      { x: 0.12, y: 0.81 },
      { x: 0.47, y: 0.84 },
    ],
  },
  {
    kind: 'heatmap',
    title: 'Hard errors of logic are found least often',
    columns: LEVELS,
    rows: KINDS,
    legend: 'planted errors found, k/n; darker is more',
    cells: KINDS.flatMap((row, i) =>
      LEVELS.flatMap((column, j) => {
        const found = (i * 7 + j * 3) % 11;
        // One cell is missing and one has words but no value.
        if (i === 1 && j === 2) return [];
        return i === 2 && j === 1
          ? [{ row, column, text: '–' }]
          : [{ row, column, value: found / 10, text: `${found}/10` }];
      }),
    ),
  },
];

export const EMPTY_CHARTS: readonly Chart[] = [
  { kind: 'intervals', title: 'empty', unit: 'usd', rows: [] },
  { kind: 'series', title: 'empty', unit: 'ratio', series: [] },
  { kind: 'histogram', title: 'empty', unit: 'ratio', label: 'share', bins: [] },
  {
    kind: 'scatter',
    title: 'empty',
    x: { label: 'x', unit: 'usd', scale: 'log' },
    y: { label: 'y', unit: 'ms' },
    points: [],
  },
  { kind: 'heatmap', title: 'empty', columns: [], rows: [], cells: [], legend: '' },
];
