import { cellOf, type TableBlock } from './document.ts';
import { escapeJson } from './text.ts';

/** One JSON object per row and line, all rows; unmeasured is `null`. */
export function renderJsonl(table: TableBlock): string {
  return table.rows
    .map((row) => {
      const cells = table.columns.map(({ key }) => [key, cellOf(row, key) ?? null]);
      return `${escapeJson(JSON.stringify(Object.fromEntries(cells)))}\n`;
    })
    .join('');
}
