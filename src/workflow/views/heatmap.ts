/** Views of the category heatmap: the mark, k/n, and a star if n is small. */
import type { HeatmapChart } from '../../report/chart.ts';
import { formatAmount, formatPercent, UNMEASURED } from '../../report/number.ts';
import { fractionText } from '../../report/text-table.ts';
import {
  type Cell,
  type Fraction,
  type ItemColumn,
  type TableBlock,
  tableOf,
  type View,
} from '../../report/view.ts';
import {
  type CategoryCell,
  type CategoryHeatmap,
  FEW_ERRORS,
  type HeatmapRow,
  TASKS_FOR_BLIND_SPOT,
} from '../reports/category-heatmap.ts';
import { onSameReviews, type Typed } from './next-steps.ts';
import { withoutInterval } from './score-metrics.ts';

export const LEGEND = '✓ over 75%, ~ 50% to 75%, ✗ under 50% of the errors found; * fewer than 5 errors';

function fractionOf({ mark, detected, errors, few }: CategoryCell): Fraction {
  return { count: detected, of: errors, mark, few };
}

/** A category without known errors stays empty: it is not a gap. */
function cellAt({ cells }: HeatmapRow, category: string): Cell {
  const cell = cells.find((one) => one.category === category);
  return cell === undefined ? '' : fractionOf(cell);
}

/** The documented table: a row per workflow, a column per category. */
export function categoryTable({ categories, rows }: CategoryHeatmap): TableBlock {
  return tableOf('Category detection heatmap', rows, [
    { key: 'Workflow', unit: 'name', of: ({ workflow }) => workflow },
    ...categories.map(
      (name, i): ItemColumn<HeatmapRow> => ({
        key: `c${i}`,
        title: name,
        unit: 'count',
        of: (row) => cellAt(row, name),
      }),
    ),
    { key: 'cc', title: 'CC', unit: 'percent', of: ({ cc }) => withoutInterval(cc) },
  ]);
}

/** The transposed table, for screens too narrow for ten columns. */
export function turnedTable({ categories, rows }: CategoryHeatmap): TableBlock {
  return tableOf(
    'Category detection heatmap',
    [...categories, undefined],
    [
      { key: 'category', unit: 'name', of: (category = 'CC') => category },
      ...rows.map(
        (row, i): ItemColumn<string | undefined> => ({
          key: `w${i}`,
          title: row.workflow,
          unit: 'count',
          of: (category) =>
            category === undefined
              ? { value: withoutInterval(row.cc), unit: 'percent' }
              : cellAt(row, category),
        }),
      ),
    ],
  );
}

export function heatmapChart(heatmap: CategoryHeatmap): HeatmapChart {
  return {
    kind: 'heatmap',
    title: chartTitle(heatmap),
    columns: heatmap.categories,
    rows: heatmap.rows.map(({ workflow }) => workflow),
    cells: heatmap.rows.flatMap(({ workflow, cells }) =>
      cells.map((cell) => ({
        row: workflow,
        column: cell.category,
        value: cell.rate,
        fraction: fractionOf(cell),
      })),
    ),
    legend: LEGEND,
  };
}

const NAMED = 3;

function chartTitle({ rows }: CategoryHeatmap): string {
  const parts = rows
    .slice(0, NAMED)
    .map(({ workflow, cells }) => `${workflow} in ${lowOf(cells).length} of ${cells.length} categories`);
  const more = rows.length > NAMED ? `, and ${rows.length - NAMED} more workflows` : '';
  return `Under 50% of the errors found: ${parts.join(', ')}${more}`;
}

function lowOf(cells: readonly CategoryCell[]): readonly CategoryCell[] {
  return cells.filter(({ mark }) => mark === '✗');
}

/** One row per workflow and category, for programs that read tables. */
export function categoryCells({ rows }: CategoryHeatmap) {
  return rows.flatMap(({ workflow, runs, cells }) => cells.map((cell) => ({ ...cell, workflow, runs })));
}

export function heatmapRows(heatmap: CategoryHeatmap): TableBlock {
  return tableOf('Categories', categoryCells(heatmap), [
    { key: 'workflow', unit: 'name' },
    { key: 'category' },
    { key: 'rate', unit: 'ratio' },
    { key: 'detected', unit: 'count' },
    { key: 'missed', unit: 'count', of: missedOf },
    { key: 'errors', unit: 'count' },
    { key: 'mark' },
    { key: 'few_errors', title: 'few errors', of: ({ few }) => (few ? 'yes' : 'no') },
    { key: 'tasks', unit: 'count' },
    { key: 'runs', unit: 'count' },
    { key: 'blind_spot', title: 'blind spot', of: ({ blindSpot = 'no' }) => blindSpot },
  ]);
}

function missedOf({ errors, detected }: CategoryCell): number {
  return errors - detected;
}

/** The documented table of one workflow: what it detects and misses per category, over its runs. */
export function coverageTable(heatmap: CategoryHeatmap): TableBlock {
  const cells = heatmap.rows.flatMap((row) => row.cells);
  return tableOf('Category coverage (mean over the runs)', cells, [
    { key: 'category', title: 'Category', unit: 'name' },
    { key: 'detected', title: 'Detected', of: ({ detected }) => amountOf(detected) },
    { key: 'missed', title: 'Missed', of: (cell) => amountOf(missedOf(cell)) },
    { key: 'rate', title: 'Rate', unit: 'ratio' },
  ]);
}

function amountOf(value: number): { readonly value: number; readonly unit: 'count' | 'score' } {
  return { value, unit: Number.isInteger(value) ? 'count' : 'score' };
}

/** Categories with a low rate, and whether they qualify as a blind spot. */
export function lowCategories(workflow: string, cells: readonly CategoryCell[]): string[] {
  const list = (wanted: CategoryCell['blindSpot']) =>
    cells
      .filter(({ blindSpot }) => blindSpot === wanted)
      .map(
        ({ category, detected, errors, few }) =>
          `${category} ${fractionText({ count: detected, of: errors, few })}`,
      )
      .join(', ');
  const [spots, few] = [list('yes'), list('too few tasks')];
  return [
    spots !== '' && `✗ ${workflow}: BLIND SPOT in ${spots}`,
    few !== '' && `▲ ${workflow}: low, too few to call a blind spot: ${few}`,
  ].filter((line) => line !== false);
}

export function heatmapView(
  heatmap: CategoryHeatmap,
  turned = false,
  notes: readonly string[] = [],
  typed?: Typed,
): View {
  const { rows } = heatmap;
  const low = rows.flatMap(({ workflow, cells }) => lowCategories(workflow, cells));
  const table = turned ? turnedTable(heatmap) : categoryTable(heatmap);
  return {
    title: `Categories: ${formatAmount(rows.length, 'workflow')}`,
    answer: answerOf(heatmap),
    blocks: [
      table,
      { kind: 'chart', repeats: true, chart: heatmapChart(heatmap) },
      { kind: 'list', title: 'Under 50%', items: low },
    ],
    notes: [`${LEGEND}.`, ...heatmapNotes(heatmap), ...notes],
    next: typed
      ? [
          onSameReviews('workflow report', typed),
          { ...onSameReviews('workflow heatmap', typed, { format: 'html' }), into: 'heatmap.html' },
        ]
      : [],
  };
}

function answerOf({ rows, categories }: CategoryHeatmap): string {
  const measured = rows.filter(({ cells }) => cells.length > 0);
  if (measured.length === 0) return 'No task expects an error, so no category could be measured.';
  return measured
    .slice(0, NAMED)
    .map(({ workflow, cells, cc }) => {
      const low = lowOf(cells).length;
      const coverage = cc.measured
        ? `CC ${formatPercent(cc.value)} of all ${categories.length}`
        : `CC ${UNMEASURED}`;
      return `${workflow} is under 50% in ${low} of ${formatAmount(cells.length, 'category', 'categories')} with known errors (${coverage}).`;
    })
    .join(' ');
}

export function heatmapNotes({ rows }: CategoryHeatmap): string[] {
  const runs = rows.map(
    ({ workflow, runs: count, tasks }) =>
      `${workflow} ${formatAmount(count, 'run')} on ${formatAmount(tasks, 'task')}`,
  );
  const present = rows.flatMap(({ workflow, ccPresent }) =>
    ccPresent.measured ? [`${workflow} ${formatPercent(ccPresent.value)}`] : [],
  );
  const tooFew = rows.some(({ cells }) => cells.some(({ blindSpot }) => blindSpot === 'too few tasks'));
  return [
    `k/n: k is the sum over the n known errors of the mean credit over the runs, so it may be a fraction (${runs.join('; ')}). A category without known errors stays empty.`,
    present.length > 0 &&
      `Category coverage (CC) of the categories that have known errors: ${present.join(', ')}.`,
    tooFew &&
      `A blind spot is claimed from ${TASKS_FOR_BLIND_SPOT} tasks with the category on; a rate of fewer than ${FEW_ERRORS} errors can turn with one of them.`,
  ].filter((note) => note !== false);
}
