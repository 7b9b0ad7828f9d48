/** Comma-separated values (RFC 4180) with the line on which each row begins. */
import { CsvError, parse } from 'csv-parse/sync';
import { AssayError } from '../../errors.ts';

export type CsvRow = {
  readonly fields: readonly string[];
  /** 1-based line on which the row begins; a quoted field may hold further lines. */
  readonly line: number;
};

type Parsed = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

/** Rows in order, blank lines skipped. `name` is the file, for the error. */
export function parseCsv(text: string, name: string): CsvRow[] {
  try {
    const rows = parse(text, {
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n'],
    }) as unknown as Parsed[];
    return rows
      .map(({ record, info }) => ({ fields: record, line: info.lines - lineBreaksIn(record) }))
      .filter(({ fields }) => fields.length > 1 || fields[0]?.trim() !== '');
  } catch (cause) {
    if (cause instanceof CsvError) throw invalid(cause, name);
    throw cause;
  }
}

function invalid(cause: CsvError, name: string): AssayError {
  const line = typeof cause.lines === 'number' ? `:${cause.lines}` : '';
  return new AssayError('INPUT_INVALID', `${name}${line} is not valid CSV: ${cause.message}`, {
    cause,
    remedy: 'A quote inside a quoted field is written twice.',
  });
}

function lineBreaksIn(record: readonly string[]): number {
  return record.reduce((sum, field) => sum + field.split('\n').length - 1, 0);
}
