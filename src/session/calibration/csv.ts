/** Comma-separated values as RFC 4180 has them: quotes, doubled quotes, line breaks inside quotes, LF or CRLF. */
import { AssayError } from '../../errors.ts';

export type CsvRow = {
  readonly fields: readonly string[];
  /** 1-based line on which the row begins; a quoted field may hold further lines. */
  readonly line: number;
};

/** `breaks`: how many lines it goes on over. */
type CsvField = { readonly text: string; readonly end: number; readonly breaks: number };

/** Rows in order, blank lines left out. `name` is the file, for the error. */
export function parseCsv(text: string, name: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const start = line;
    const fields: string[] = [];
    for (;;) {
      const cell = text[at] === '"' ? quoted(text, at, start, name) : plain(text, at);
      fields.push(cell.text);
      line += cell.breaks;
      at = cell.end;
      if (text[at] !== ',') break;
      at += 1;
    }
    if (text.startsWith('\r\n', at)) at += 2;
    else if (at < text.length) at += 1;
    line += 1;
    if (fields.length > 1 || fields[0]?.trim() !== '') rows.push({ fields, line: start });
  }
  return rows;
}

/** A text that starts like a formula, as CSV of ours writes it: an apostrophe before it keeps spreadsheets from running it. */
const GUARDED = /^'+[=+\-@\u2409\u240a\u240d＝＋－＠]/;

/** The text that was written as this field. */
export function withoutGuard(field: string): string {
  return GUARDED.test(field) ? field.slice(1) : field;
}

function plain(text: string, from: number): CsvField {
  let end = from;
  while (end < text.length && !isEnd(text, end)) end += 1;
  return { text: text.slice(from, end), end, breaks: 0 };
}

function quoted(text: string, from: number, line: number, name: string): CsvField {
  const parts: string[] = [];
  let at = from + 1;
  for (;;) {
    const close = text.indexOf('"', at);
    if (close < 0) throw new AssayError('INPUT_INVALID', `${name}:${line} has a quote that is never closed`);
    parts.push(text.slice(at, close));
    at = close + 1;
    if (text[at] !== '"') break;
    parts.push('"');
    at += 1;
  }
  if (at < text.length && !isEnd(text, at)) {
    throw new AssayError('INPUT_INVALID', `${name}:${line} goes on after a closing quote`, {
      remedy: 'A quote inside a quoted field is written twice.',
    });
  }
  const whole = parts.join('');
  return { text: whole, end: at, breaks: breaksIn(whole) };
}

function isEnd(text: string, at: number): boolean {
  const char = text[at];
  return (
    char === ',' || char === '\n' || (char === '\r' && (text[at + 1] === '\n' || at + 1 === text.length))
  );
}

/** Of a field alone: looking for the next one in the file would cost its rest for every field of a long line. */
function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
