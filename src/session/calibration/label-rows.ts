/** A file about sessions as rows: CSV with a header, or one JSON object per line. Its content decides which. */
import { AssayError } from '../../errors.ts';
import { readText } from '../../files.ts';
import { parseCsv, withoutGuard } from './csv.ts';

/** What a cell may hold; CSV has only text. Undefined: the cell is empty. */
export type LabelCell = string | number | boolean | undefined;

export type LabelRow = {
  /** Its `session_key` where the row has one, which no way of writing a file changes; else its `session_id`. */
  readonly sessionId: string;
  /** The `session_id` beside a `session_key`: the key is another one where the transcripts have moved. */
  readonly idBesideKey?: string;
  readonly line: number;
  readonly cell: (column: string) => LabelCell;
};

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ROWS = 1_000_000;
const MAX_ID = 1024;
const ID = 'session_id';
const KEY = 'session_key';

export function readLabelText(path: string): string {
  return readText(path, MAX_BYTES);
}

/** Rows with a session id and the columns asked for; `required` must be there, other columns are ignored. */
export function labelRows(text: string, name: string, required: string): LabelRow[] {
  const content = text.replace(/^\uFEFF/, '');
  const rows = /^\s*\{/.test(content) ? jsonRows(content, name, required) : csvRows(content, name, required);
  if (rows.length > MAX_ROWS) {
    throw new AssayError('FILE_TOO_LARGE', `${name} has ${rows.length} rows; the limit is ${MAX_ROWS}`);
  }
  return rows;
}

function csvRows(text: string, name: string, required: string): LabelRow[] {
  const [header, ...rows] = parseCsv(text, name);
  const columns = (header?.fields ?? []).map((field) => field.trim().toLowerCase());
  for (const column of [ID, required]) checkColumn(columns, column, name, header?.line ?? 1);
  return rows.map(({ fields, line }) => {
    if (fields.length !== columns.length) {
      throw new AssayError(
        'INPUT_INVALID',
        `${name}:${line} has ${fields.length} fields where the header has ${columns.length}`,
        { remedy: 'Write fields that contain a comma in double quotes.' },
      );
    }
    const cell = (column: string): LabelCell => {
      const text = fields[columns.indexOf(column)]?.trim() ?? '';
      return text === '' ? undefined : withoutGuard(text);
    };
    return { ...namesOf(cell, name, line), line, cell };
  });
}

function checkColumn(columns: readonly string[], column: string, name: string, line: number): void {
  const times = columns.filter((one) => one === column).length;
  if (times === 1) return;
  const [only = ''] = columns;
  const separator = columns.length === 1 ? /[;\t|]/.exec(only)?.[0] : undefined;
  throw new AssayError(
    'INPUT_INVALID',
    times > 1
      ? `${name}:${line} has the column ${column} ${times} times`
      : `${name}:${line} has no column ${column}${columns.length === 0 ? '' : `, only ${list(columns)}`}`,
    {
      remedy:
        separator === undefined
          ? `The first line names the columns, ${column === ID ? ID : `${ID} and ${column}`} among them.`
          : `Separate the columns with commas instead of ${separator === '\t' ? 'tabs' : `"${separator}"`}.`,
    },
  );
}

function list(columns: readonly string[]): string {
  const shown = columns.slice(0, 8).map((column) => column.slice(0, 40));
  return `${shown.join(', ')}${columns.length > shown.length ? ', …' : ''}`;
}

function jsonRows(text: string, name: string, required: string): LabelRow[] {
  return text.split('\n').flatMap((source, index) => {
    if (source.trim() === '') return [];
    const line = index + 1;
    const row = objectOf(source, name, line);
    if (!Object.hasOwn(row, required)) {
      throw new AssayError('INPUT_INVALID', `${name}:${line} has no ${required}`);
    }
    const cell = (column: string) => cellOf(row, column, name, line);
    return [{ ...namesOf(cell, name, line), line, cell }];
  });
}

function objectOf(source: string, name: string, line: number): object {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (cause) {
    throw new AssayError('INPUT_INVALID', `${name}:${line} is not JSON`, { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new AssayError('INPUT_INVALID', `${name}:${line} is not a JSON object`);
}

function cellOf(row: object, column: string, name: string, line: number): LabelCell {
  const value: unknown = Object.getOwnPropertyDescriptor(row, column)?.value;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  throw new AssayError('INPUT_INVALID', `${name}:${line}: ${column} is neither text, number nor true/false`);
}

function namesOf(
  cell: LabelRow['cell'],
  name: string,
  line: number,
): Pick<LabelRow, 'sessionId' | 'idBesideKey'> {
  const key = cell(KEY);
  return key === undefined
    ? { sessionId: idOf(cell(ID), name, line) }
    : { sessionId: idOf(key, name, line), idBesideKey: String(cell(ID) ?? '') };
}

function idOf(cell: LabelCell, name: string, line: number): string {
  const id = cell === undefined ? '' : String(cell);
  if (id !== '' && id.length <= MAX_ID) return id;
  throw new AssayError(
    'INPUT_INVALID',
    `${name}:${line} ${id === '' ? 'has no session_id' : `has a session_id of ${id.length} characters`}`,
  );
}
