/** Fits a table into a width: first texts are shortened, then whole columns give way. A row is never wrapped. */
import { shortenEnd, shortenMiddle, shortenNames, widthOf } from './text.ts';
import type { TextCell, TextColumn, TextTable } from './text-table.ts';

export type LaidOutCell = TextCell & { readonly padBefore: number; readonly padAfter: number };

export type LaidOutTable = {
  readonly titles: readonly LaidOutCell[];
  readonly rows: readonly (readonly LaidOutCell[])[];
  /** Headers of the columns that did not fit. */
  readonly dropped: readonly string[];
};

export const GAP = 2;

/** A narrower text column is not useful. */
const MIN_TEXT = 12;
const MIN_NAME = 9;

type Sized = {
  readonly column: TextColumn;
  readonly title: string;
  readonly cells: readonly TextCell[];
  readonly wanted: number;
  readonly min: number;
};

export function layOut(table: TextTable, rows: TextTable['rows'], width: number): LaidOutTable {
  let columns = table.columns.map((column, index) =>
    size(
      column,
      rows.map((row) => row[index] ?? { text: '' }),
      width,
    ),
  );
  const dropped: string[] = [];
  while (minimum(columns) > width) {
    const victim = columns.reduce((worst, item) => (dropOf(item) > dropOf(worst) ? item : worst));
    if (dropOf(victim) < 0) break;
    columns = columns.filter((item) => item !== victim);
    dropped.unshift(victim.title);
  }
  const widths = shareWidth(columns, width);
  const laidOut = columns.map((item, index) => place(item, widths[index] ?? 0));
  return {
    titles: laidOut.map(({ title }) => title),
    rows: rows.map((_, row) => laidOut.flatMap(({ cells }) => cells[row] ?? [])),
    dropped,
  };
}

function dropOf(item: Sized): number {
  return item.column.priority ?? -1;
}

function size(column: TextColumn, raw: readonly TextCell[], width: number): Sized {
  const cells = column.align === 'point' ? alignAtPoint(raw) : raw;
  const inCells = cells.reduce((widest, cell) => Math.max(widest, widthOf(cell.text)), 0);
  const inHeader = widthOf(column.title);
  const wanted = Math.min(Math.max(inCells, inHeader), column.max ?? width, width);
  const floor =
    column.shorten === undefined
      ? inCells
      : Math.min(inCells, column.min ?? (column.shorten === 'middle' ? MIN_NAME : MIN_TEXT));
  // A title may be cut to the width of its numbers, but not to nothing.
  return {
    column,
    title: column.title,
    cells,
    wanted,
    min: Math.min(wanted, Math.max(floor, Math.min(inHeader, MIN_NAME))),
  };
}

/** Aligns numbers of different units at the decimal point: pads before it, leaves the rest. */
function alignAtPoint(cells: readonly TextCell[]): TextCell[] {
  const lengths = cells.map((cell) => beforePoint(cell.text));
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  return cells.map((cell, index) => ({
    ...cell,
    text: ' '.repeat(longest - (lengths[index] ?? 0)) + cell.text,
  }));
}

function beforePoint(text: string): number {
  return widthOf(splitAtPoint(text)[0]);
}

/** `−$1,520.30` → `−$1,520` and `.30`; what has no point ends where whole numbers end. */
export function splitAtPoint(text: string): [whole: string, rest: string] {
  // `1m 12s` is one piece.
  if (/\d[mhd] \d/.test(text)) return [text, ''];
  const whole = /^[^\d]*[\d,]*/.exec(text)?.[0] ?? text;
  return [whole, text.slice(whole.length)];
}

function minimum(columns: readonly Sized[]): number {
  return columns.reduce((sum, item) => sum + item.min, GAP * (columns.length - 1));
}

/** Every column gets its width if there is room; otherwise the widest shrink first. */
function shareWidth(columns: readonly Sized[], width: number): number[] {
  const widths = columns.map((item) => item.wanted);
  let excess = widths.reduce((sum, item) => sum + item, GAP * (columns.length - 1)) - width;
  while (excess > 0) {
    const above = widths.map((item, index) => (item > (columns[index]?.min ?? 0) ? item : 0));
    // All are at their minimum and the window is tiny: cut whatever is longest.
    const candidates = above.some((item) => item > 0) ? above : widths;
    const widest = Math.max(...candidates);
    const index = candidates.indexOf(widest);
    if (widest <= 1) break;
    widths[index] = widest - 1;
    excess--;
  }
  return widths;
}

function place(item: Sized, width: number): { title: LaidOutCell; cells: LaidOutCell[] } {
  const { column } = item;
  // Numbers are a group under the end of their title, so that the points align.
  const widestCell = item.cells.reduce((widest, cell) => Math.max(widest, widthOf(cell.text)), 0);
  const indent = column.align === 'point' ? Math.max(0, width - widestCell) : 0;
  const texts = item.cells.map(({ text }) => text);
  const fitted =
    column.shorten === 'middle'
      ? shortenNames(texts, width - indent)
      : texts.map((text) => shortenEnd(text, width - indent));
  const headerText = shortenMiddle(item.title, width);
  const headerPad = width - widthOf(headerText);
  return {
    title:
      column.align === 'point'
        ? { text: headerText, padBefore: headerPad, padAfter: 0 }
        : { text: headerText, padBefore: 0, padAfter: headerPad },
    cells: item.cells.map((cell, index) => {
      const text = fitted[index] ?? '';
      return { ...cell, text, padBefore: indent, padAfter: width - indent - widthOf(text) };
    }),
  };
}
