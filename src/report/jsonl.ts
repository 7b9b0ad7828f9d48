import { escapeJson } from './unsafe-text.ts';

/** One JSON object per line. */
export function renderJsonl(rows: readonly object[]): string {
  return rows.map((row) => `${escapeJson(JSON.stringify(row))}\n`).join('');
}
