/** How the category heatmap is told to people: the mark, k/n, and a star where n is small. */
import type { HeatmapChart } from '../../report/chart.ts';
import { formatAmount, formatPercent, UNMEASURED } from '../../report/number.ts';
import { fractionText } from '../../report/text-table.ts';
import type { Cell, Column, Fraction, Row, TableBlock, View } from '../../report/view.ts';
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

/** A category without known errors stays empty: that is no gap. */
function cellAt({ cells }: HeatmapRow, category: string): Cell {
  const cell = cells.find((one) => one.category === category);
  return cell === undefined ? '' : fractionOf(cell);
}

/** The documented table: a row per workflow, a column per category. */
export function categoryTable({ categories, rows }: CategoryHeatmap): TableBlock {
  return {
    kind: 'table',
    title: 'Category detection heatmap',
    columns: [
      { key: 'Workflow', title: 'Workflow', unit: 'name' },
      ...categories.map((name, i): Column => ({ key: `c${i}`, title: name, unit: 'count' })),
      { key: 'cc', title: 'CC', unit: 'percent' },
    ],
    rows: rows.map((row) => ({
      Workflow: row.workflow,
      ...Object.fromEntries(categories.map((name, i) => [`c${i}`, cellAt(row, name)])),
      cc: withoutInterval(row.cc),
    })),
  };
}

/** The same turned round: ten categories fit under each other where they do not fit side by side. */
export function turnedTable({ categories, rows }: CategoryHeatmap): TableBlock {
  const line = (category: string, text: (row: HeatmapRow) => Cell): Row => ({
    category,
    ...Object.fromEntries(rows.map((row, i) => [`w${i}`, text(row)])),
  });
  return {
    kind: 'table',
    title: 'Category detection heatmap',
    columns: [
      { key: 'category', title: 'category', unit: 'name' },
      ...rows.map(({ workflow }, i): Column => ({ key: `w${i}`, title: workflow, unit: 'count' })),
    ],
    rows: [
      ...categories.map((category) => line(category, (row) => cellAt(row, category))),
      line('CC', ({ cc }) => ({ value: withoutInterval(cc), unit: 'percent' })),
    ],
  };
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

/** One row per workflow and category, for machines that read tables. */
export function heatmapRows({ rows }: CategoryHeatmap): TableBlock {
  return {
    kind: 'table',
    title: 'Categories',
    columns: [
      { key: 'workflow', title: 'workflow', unit: 'name' },
      { key: 'category', title: 'category', unit: 'text' },
      { key: 'rate', title: 'rate', unit: 'ratio' },
      { key: 'detected', title: 'detected', unit: 'count' },
      { key: 'errors', title: 'errors', unit: 'count' },
      { key: 'mark', title: 'mark', unit: 'text' },
      { key: 'few_errors', title: 'few errors', unit: 'text' },
      { key: 'tasks', title: 'tasks', unit: 'count' },
      { key: 'runs', title: 'runs', unit: 'count' },
      { key: 'blind_spot', title: 'blind spot', unit: 'text' },
    ],
    rows: rows.flatMap(({ workflow, runs, cells }) =>
      cells.map(({ category, rate, detected, errors, mark, few, tasks, blindSpot = 'no' }) => ({
        workflow,
        category,
        rate,
        detected,
        errors,
        mark,
        few_errors: few ? 'yes' : 'no',
        tasks,
        runs,
        blind_spot: blindSpot,
      })),
    ),
  };
}

/** What is low, and whether it may be called a blind spot. */
export function lowCategories(workflow: string, cells: readonly CategoryCell[]): string[] {
  const list = (of: readonly CategoryCell[]) =>
    of
      .map(
        (cell) =>
          `${cell.category} ${fractionText({ count: cell.detected, of: cell.errors, few: cell.few })}`,
      )
      .join(', ');
  const [spots, few] = [
    cells.filter(({ blindSpot }) => blindSpot === 'yes'),
    cells.filter(({ blindSpot }) => blindSpot === 'too few tasks'),
  ];
  return [
    ...(spots.length > 0 ? [`✗ ${workflow}: BLIND SPOT in ${list(spots)}`] : []),
    ...(few.length > 0 ? [`▲ ${workflow}: low, too few to call a blind spot: ${list(few)}`] : []),
  ];
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
  const runs = rows.map(({ workflow, runs: count, tasks }) => {
    return `${workflow} ${formatAmount(count, 'run')} on ${formatAmount(tasks, 'task')}`;
  });
  const present = rows.flatMap(({ workflow, ccPresent }) =>
    ccPresent.measured ? [`${workflow} ${formatPercent(ccPresent.value)}`] : [],
  );
  const tooFew = rows.some(({ cells }) => cells.some(({ blindSpot }) => blindSpot === 'too few tasks'));
  return [
    `k/n: k is the sum over the n known errors of the mean credit over the runs, so it may be a fraction (${runs.join('; ')}). A category without known errors stays empty.`,
    ...(present.length > 0
      ? [`Category coverage (CC) of the categories that have known errors: ${present.join(', ')}.`]
      : []),
    ...(tooFew
      ? [
          `A blind spot is claimed from ${TASKS_FOR_BLIND_SPOT} tasks with the category on; a rate of fewer than ${FEW_ERRORS} errors can turn with one of them.`,
        ]
      : []),
  ];
}
