import { cellOf, plainValue, type TableBlock } from './document.ts';
import { escapeJson } from './unsafe-text.ts';

/** The rows as objects, all of them; unmeasured is `null`. */
export function rowsAsJson(table: TableBlock): Record<string, string | number | null>[] {
  return table.rows.map((row) =>
    Object.fromEntries(table.columns.map(({ key }) => [key, plainValue(cellOf(row, key)) ?? null])),
  );
}

/** One JSON object per line. */
export function renderJsonl(rows: readonly object[]): string {
  return rows.map((row) => `${escapeJson(JSON.stringify(row))}\n`).join('');
}
