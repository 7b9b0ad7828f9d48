import { cell, type Markish, text } from '@observablehq/plot';
import type { HeatmapChart } from '../chart.ts';
import { heatText } from '../chart-table.ts';
import { formatRatio } from '../number.ts';
import { plain } from '../unsafe-text.ts';
import { COLOUR, type Drawing, drawing, fitLabel, pixelsOf, type Size } from './frame.ts';

const ROW_HEIGHT = 30;
const CELL_FONT = 11;
const MAX_CELL = 110;

type Drawn = {
  readonly row: number;
  readonly column: number;
  readonly strength: number;
  readonly text: string;
  readonly hint: string;
};

/** Darker is more; the words in the cell say how much. */
export function heatmapDrawing(chart: HeatmapChart, size: Size): Drawing {
  const marginLeft = Math.min(
    size.narrow ? 110 : 220,
    16 + Math.max(20, ...chart.rows.map((row) => pixelsOf(plain(row)))),
  );
  const longest = Math.max(0, ...chart.columns.map((column) => pixelsOf(plain(column))));
  const slanted = longest > cellWidth(chart, size, marginLeft, 12) - 6;
  const marginTop = slanted ? Math.min(100, 0.7 * Math.min(longest, 130) + 18) : 26;
  // A slanted name leans over the right edge.
  const marginRight = slanted ? Math.min(90, 0.7 * Math.min(longest, 130)) : 12;
  const width = cellWidth(chart, size, marginLeft, marginRight);
  const legend = plain(chart.legend);
  return drawing(chart.title, {
    width: Math.min(size.width, marginLeft + marginRight + width * chart.columns.length),
    height: marginTop + chart.rows.length * ROW_HEIGHT + (legend === '' ? 10 : 34),
    marginLeft,
    marginRight,
    marginTop,
    marginBottom: legend === '' ? 10 : 34,
    x: { type: 'band', domain: chart.columns.map((_, index) => index), padding: 0, axis: null },
    y: { type: 'band', domain: chart.rows.map((_, index) => index), padding: 0, axis: null },
    opacity: { type: 'identity' },
    marks: [
      ...cellMarks(drawnCells(chart), width),
      ...nameMarks(chart, width, slanted, marginLeft),
      legendMark(legend, size, marginLeft),
    ],
  });
}

function cellWidth(chart: HeatmapChart, size: Size, marginLeft: number, marginRight: number): number {
  return Math.min(MAX_CELL, (size.width - marginLeft - marginRight) / Math.max(1, chart.columns.length));
}

function drawnCells(chart: HeatmapChart): Drawn[] {
  return chart.cells.flatMap((item) => {
    const [row, column] = [chart.rows.indexOf(item.row), chart.columns.indexOf(item.column)];
    if (row < 0 || column < 0) return [];
    const value = item.value === undefined ? '' : `, ${formatRatio(item.value)}`;
    const words = plain(heatText(item));
    const hint = `${plain(item.row)}, ${plain(item.column)}: ${words}${value}`;
    // Up to 0.5, so that the ink stays readable on the strongest cell in light and dark.
    const strength = item.value === undefined ? 0 : 0.04 + 0.46 * Math.min(1, Math.max(0, item.value));
    return [{ row, column, strength, text: words, hint }];
  });
}

function cellMarks(cells: readonly Drawn[], width: number): Markish[] {
  const readable = cells.filter((item) => pixelsOf(item.text, CELL_FONT) < width);
  return [
    cell(cells, {
      x: 'column',
      y: 'row',
      fill: COLOUR.heat,
      fillOpacity: 'strength',
      inset: 1,
      rx: 3,
      title: 'hint',
    }),
    cell(cells, { x: 'column', y: 'row', fill: 'none', stroke: COLOUR.grid, inset: 1, rx: 3 }),
    text(readable, {
      x: 'column',
      y: 'row',
      text: 'text',
      fill: COLOUR.ink,
      fontSize: CELL_FONT,
      fontVariant: 'tabular-nums',
      title: 'hint',
    }),
  ];
}

function nameMarks(chart: HeatmapChart, width: number, slanted: boolean, marginLeft: number): Markish[] {
  const columns = chart.columns.map((name, index) => ({
    index,
    name: fitLabel(name, slanted ? 130 : width),
    hint: plain(name),
  }));
  const rows = chart.rows.map((name, index) => ({
    index,
    name: fitLabel(name, marginLeft - 14),
    hint: plain(name),
  }));
  return [
    text(columns, {
      x: 'index',
      frameAnchor: 'top',
      dy: slanted ? -10 : -13,
      text: 'name',
      title: 'hint',
      fill: COLOUR.soft,
      ...(slanted ? { rotate: -45, textAnchor: 'start' as const } : {}),
    }),
    text(rows, {
      y: 'index',
      frameAnchor: 'left',
      dx: -8,
      textAnchor: 'end',
      text: 'name',
      title: 'hint',
      fill: COLOUR.ink,
    }),
  ];
}

function legendMark(legend: string, size: Size, marginLeft: number): Markish {
  return text(legend === '' ? [] : [fitLabel(legend, size.width - 16)], {
    frameAnchor: 'bottom-left',
    dx: 8 - marginLeft,
    dy: 26,
    textAnchor: 'start',
    fill: COLOUR.soft,
    text: (words: string) => words,
  });
}
