import { type Cell, cellOf, plainValue, type TableBlock } from './document.ts';
import { plain } from './unsafe-text.ts';

/** RFC 4180: CRLF, a header, all rows in full precision; unmeasured is an empty field. */
export function renderCsv(table: TableBlock): string {
  const header = table.columns.map(({ key }) => field(textField(key)));
  const rows = table.rows.map((row) => table.columns.map(({ key }) => field(cellField(cellOf(row, key)))));
  return [header, ...rows].map((fields) => `${fields.join(',')}\r\n`).join('');
}

function cellField(cell: Cell): string {
  const value = plainValue(cell);
  if (value === undefined) return '';
  // A negative number starts with a minus as well and must stay a number.
  return typeof value === 'number' ? numberField(value) : textField(value);
}

function numberField(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

/** What spreadsheets run: a text that starts like a formula, also in full-width letters. */
const FORMULA = /^'*[=+\-@\t\r\n\u2409\u240a\u240d＝＋－＠]/;

/** An apostrophe keeps it a text; one that has some already gets one more, so that reading takes away just that. */
export function textField(text: string): string {
  return FORMULA.test(text) ? `'${plain(text)}` : plain(text);
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
