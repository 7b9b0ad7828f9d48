import { plain } from './unsafe-text.ts';
import { cellOf, plainValue, type TableBlock } from './view.ts';

/** RFC 4180: CRLF, a header, all rows in full precision; unmeasured is an empty field. */
export function renderCsv(table: TableBlock): string {
  return [...csvPieces(table)].join('');
}

/** The same a line at a time. */
export function* csvPieces({ columns, rows }: TableBlock): Generator<string> {
  const keys = columns.map(({ key }) => key);
  yield csvLine(keys);
  for (const row of rows) yield csvLine(keys.map((key) => plainValue(cellOf(row, key))));
}

type Field = string | number | boolean | null | undefined;

/** Text that a spreadsheet would run as a formula is escaped; unmeasured is an empty field. */
export function csvLine(values: readonly Field[]): string {
  return `${values.map(fieldOf).join(',')}\r\n`;
}

function fieldOf(value: Field): string {
  if (value === undefined || value === null) return '';
  // A negative number starts with a minus as well and must stay a number.
  return typeof value === 'number' ? numberField(value) : quoted(textField(String(value)));
}

function numberField(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

/** What spreadsheets run: a text that starts like a formula, also in full-width letters. */
const FORMULA = /^'*[=+\-@\t\r\n\u2409\u240a\u240d＝＋－＠]/;

/** Escaped with an apostrophe; text that starts with apostrophes gets one more, so that reading removes exactly one. */
export function textField(text: string): string {
  return FORMULA.test(text) ? `'${plain(text)}` : plain(text);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
