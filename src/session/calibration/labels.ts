/**
 * Labels of sessions from files: ratings, outcomes, task types. CSV with a header or JSONL, with the same keys. An
 * empty value is a session without a label yet: counted, not an error. Any other undocumented value is an error with
 * its line, because a guessed label is worse than none.
 */
import { AssayError } from '../../errors.ts';
import { readText } from '../../files.ts';
import { declaredTaskType } from '../profiles/classify-task.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { parseCsv } from './csv.ts';
import { withoutGuard } from './csv-guard.ts';

export type SessionRating = {
  /** Its key if the file has it, else its id. */
  readonly sessionId: string;
  /** 1 (bad) to 5 (excellent); ratings from 0 to 1 are converted. */
  readonly rating: number;
  readonly note?: string;
  readonly author?: string;
};

/** `blank`: rows without a value. */
export type Labels<T> = { readonly labels: T; readonly blank: number };

const RATING_RANGE = [1, 5] as const;

/** The accepted words for outcomes. `closed` is a pull request closed without merging. */
export const OUTCOME_WORDS: Readonly<Record<string, number>> = Object.freeze({
  true: 1,
  yes: 1,
  pass: 1,
  passed: 1,
  success: 1,
  succeeded: 1,
  merged: 1,
  accepted: 1,
  approved: 1,
  done: 1,
  resolved: 1,
  partial: 0.5,
  false: 0,
  no: 0,
  fail: 0,
  failed: 0,
  failure: 0,
  closed: 0,
  rejected: 0,
  reverted: 0,
  abandoned: 0,
});

/**
 * Several ratings of one session come from several raters. If a rater rates a session again, the last rating counts.
 */
export function parseRatings(text: string, name: string): Labels<SessionRating[]> {
  const ratings = new Map<string, SessionRating>();
  const rows = labelRows(text, name, 'rating');
  const scale = scaleOf(rows.map((row) => row.cell('rating')));
  let blank = 0;
  for (const row of rows) {
    const cell = row.cell('rating');
    if (cell === undefined) {
      blank += 1;
      continue;
    }
    const note = wordsOf(row.cell('note'));
    const author = wordsOf(row.cell('author'));
    const key = JSON.stringify([row.sessionId, author ?? row.line]);
    ratings.delete(key);
    ratings.set(key, {
      sessionId: row.sessionId,
      rating: ratingOf(cell, scale, name, row.line),
      note,
      author,
    });
  }
  return { labels: [...ratings.values()], blank };
}

export function parseOutcomes(text: string, name: string): Labels<Map<string, number>> {
  return oneEach(labelRows(text, name, 'outcome'), 'outcome', name, outcomeOf);
}

/** Session id → its task, for rows that name one. */
function parseTasks(text: string, name: string): Map<string, string> {
  return new Map(
    labelRows(text, name, 'outcome').flatMap(({ sessionId, cell }) => {
      const task = wordsOf(cell('task'));
      return task === undefined ? [] : [[sessionId, task] as const];
    }),
  );
}

export function parseTaskTypes(text: string, name: string): Labels<Map<string, TaskType>> {
  return oneEach(labelRows(text, name, 'task_type'), 'task_type', name, taskTypeOf);
}

/** How a file names its sessions: a key with the id next to it, or an id (or key) alone. */
export type LabelNames = ReadonlyMap<string, string | undefined>;

export function readLabelNames(
  path: string,
  column: 'rating' | 'outcome' | 'task_type' | 'cost_usd',
): LabelNames {
  const rows = labelRows(readLabelText(path), path, column);
  return new Map(rows.map(({ sessionId, idBesideKey }) => [sessionId, idBesideKey]));
}

export function readRatings(path: string): SessionRating[] {
  return parseRatings(readLabelText(path), path).labels;
}

/** Sessions that this author has seen, including those without a rating. */
export function labelledBy(path: string, author: string): Set<string> {
  const rows = labelRows(readLabelText(path), path, 'rating');
  return new Set(rows.flatMap(({ sessionId, cell }) => (cell('author') === author ? [sessionId] : [])));
}

export function readOutcomes(path: string): Map<string, number> {
  return parseOutcomes(readLabelText(path), path).labels;
}

export function readTasks(path: string): Map<string, string> {
  return parseTasks(readLabelText(path), path);
}

export function readTaskTypes(path: string): Map<string, TaskType> {
  return parseTaskTypes(readLabelText(path), path).labels;
}

export function readCosts(path: string): Map<string, number> {
  return parseCosts(readLabelText(path), path).labels;
}

/** Session id → its mean rating, converted from 1–5 to 0–1: the target of calibration. */
export function ratingLabels(ratings: readonly SessionRating[]): Map<string, number> {
  const sums = new Map<string, { sum: number; n: number }>();
  for (const { sessionId, rating } of ratings) {
    const { sum, n } = sums.get(sessionId) ?? { sum: 0, n: 0 };
    sums.set(sessionId, { sum: sum + rating, n: n + 1 });
  }
  const [least, most] = RATING_RANGE;
  return new Map([...sums].map(([id, { sum, n }]) => [id, (sum / n - least) / (most - least)]));
}

/** The cost of a session in dollars, from a bill or another program. */
export function parseCosts(text: string, name: string): Labels<Map<string, number>> {
  return oneEach(labelRows(text, name, 'cost_usd'), 'cost_usd', name, (cell, file, line) => {
    const cost = numberOf(cell);
    if (cost !== undefined && cost >= 0 && cost <= MOST_USD) return cost;
    throw new AssayError(
      'INPUT_INVALID',
      `${file}:${line}: the cost ${shown(cell)} is not a number of dollars`,
    );
  });
}

/** A larger value is probably in another unit. */
const MOST_USD = 1e6;

/** One label per session: equal duplicates count once, contradicting ones are an error. */
function oneEach<T>(
  rows: readonly LabelRow[],
  column: string,
  name: string,
  read: (cell: Exclude<LabelCell, undefined>, name: string, line: number) => T,
): Labels<Map<string, T>> {
  const labels = new Map<string, T>();
  const lines = new Map<string, number>();
  let blank = 0;
  for (const { sessionId, line, cell } of rows) {
    const given = cell(column);
    if (given === undefined) {
      blank += 1;
      continue;
    }
    const value = read(given, name, line);
    const before = lines.get(sessionId);
    if (before !== undefined && labels.get(sessionId) !== value) {
      throw new AssayError(
        'INPUT_INVALID',
        `${name}:${line}: the ${column} of ${sessionId} is not the one of line ${before}`,
        { remedy: 'Keep one of the two lines.' },
      );
    }
    labels.set(sessionId, value);
    if (before === undefined) lines.set(sessionId, line);
  }
  return { labels, blank };
}

type Scale = readonly [least: number, most: number];

/** Detects a 0–1 scale: all ratings are within it, and at least one cannot be on the 1–5 scale. */
function scaleOf(cells: readonly LabelCell[]): Scale {
  const ratings = cells.flatMap((cell) => (cell === undefined ? [] : (numberOf(cell) ?? Number.NaN)));
  const areShares = ratings.every((one) => one >= 0 && one <= 1) && ratings.some((one) => one < 1);
  return areShares ? [0, 1] : RATING_RANGE;
}

function ratingOf(
  cell: Exclude<LabelCell, undefined>,
  [least, most]: Scale,
  name: string,
  line: number,
): number {
  const rating = numberOf(cell);
  if (rating !== undefined && rating >= least && rating <= most)
    return most === 1 ? RATING_RANGE[0] + rating * (RATING_RANGE[1] - RATING_RANGE[0]) : rating;
  throw new AssayError(
    'INPUT_INVALID',
    `${name}:${line}: the rating ${shown(cell)} is not between 1 and 5, nor are all from 0 to 1`,
  );
}

function outcomeOf(cell: Exclude<LabelCell, undefined>, name: string, line: number): number {
  const number = numberOf(cell);
  if (number !== undefined && number >= 0 && number <= 1) return number;
  const word = String(cell).toLowerCase();
  const known = number === undefined && Object.hasOwn(OUTCOME_WORDS, word) ? OUTCOME_WORDS[word] : undefined;
  if (known !== undefined) return known;
  throw new AssayError('INPUT_INVALID', `${name}:${line}: the outcome ${shown(cell)} is not known`, {
    remedy: `An outcome is a number from 0 to 1 or one of: ${Object.keys(OUTCOME_WORDS).join(', ')}.`,
  });
}

function taskTypeOf(cell: Exclude<LabelCell, undefined>, name: string, line: number): TaskType {
  const type = declaredTaskType(String(cell));
  if (type !== undefined) return type;
  throw new AssayError('INPUT_INVALID', `${name}:${line}: the task type ${shown(cell)} is not known`, {
    remedy: `The task types are ${TASK_TYPES.join(', ')}.`,
  });
}

/** Decimal numbers, optionally with an exponent. Number() alone would also accept hexadecimal and empty text. */
function numberOf(cell: Exclude<LabelCell, undefined>): number | undefined {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : undefined;
  return typeof cell === 'string' &&
    /^[+-]?(?:\d{1,20}(?:\.\d{0,25})?|\.\d{1,25})(?:e[+-]?\d{1,3})?$/i.test(cell)
    ? Number(cell)
    : undefined;
}

function wordsOf(cell: LabelCell): string | undefined {
  return cell === undefined ? undefined : String(cell);
}

function shown(cell: Exclude<LabelCell, undefined>): string {
  const text = String(cell);
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

// A file about sessions as rows: CSV with a header, or one JSON object per line. Detected by content.

/** The value of a cell; CSV has only text. Undefined: the cell is empty. */
type LabelCell = string | number | boolean | undefined;

type LabelRow = {
  /** Its `session_key` if the row has one, which spreadsheets cannot change; else its `session_id`. */
  readonly sessionId: string;
  /** The `session_id` next to a `session_key`, for transcripts that moved and so have another key. */
  readonly idBesideKey?: string;
  readonly line: number;
  readonly cell: (column: string) => LabelCell;
};

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ROWS = 1_000_000;
const MAX_ID = 1024;
const ID = 'session_id';
const KEY = 'session_key';

function readLabelText(path: string): string {
  return readText(path, MAX_BYTES);
}

/** Rows with a session id and the columns asked for. `required` must exist; other columns are ignored. */
function labelRows(text: string, name: string, required: string): LabelRow[] {
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
