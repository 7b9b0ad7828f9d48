/**
 * What people say about sessions, from files: ratings, outcomes, task types. CSV with a header or JSONL, the same keys
 * in both. An empty value is a session that nobody has labelled yet: counted, not an error. Any other value that is
 * not documented here is an error with its line, because a label that was guessed would be worse than none.
 */
import { AssayError } from '../../errors.ts';
import { declaredTaskType } from '../profiles/classify-task.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { type LabelCell, type LabelRow, labelRows, readLabelText } from './label-rows.ts';

export type SessionRating = {
  /** Its key where the file has it, else its id. */
  readonly sessionId: string;
  /** 1 (bad) to 5 (excellent). */
  readonly rating: number;
  readonly note?: string;
  readonly author?: string;
};

/** `blank`: rows without a value. */
export type Labels<T> = { readonly labels: T; readonly blank: number };

const RATING_RANGE = [1, 5] as const;

/** The words an outcome may be written as. `closed` is a pull request closed without merging. */
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
 * Several ratings of one session are several raters. Who rates the same session again under the same name has thought
 * again: the last one counts.
 */
export function parseRatings(text: string, name: string): Labels<SessionRating[]> {
  const ratings = new Map<string, SessionRating>();
  let blank = 0;
  for (const row of labelRows(text, name, 'rating')) {
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
      rating: ratingOf(cell, name, row.line),
      note,
      author,
    });
  }
  return { labels: [...ratings.values()], blank };
}

export function parseOutcomes(text: string, name: string): Labels<Map<string, number>> {
  return oneEach(labelRows(text, name, 'outcome'), 'outcome', name, outcomeOf);
}

/** Session id → the task it was a run of, for those rows that name one. */
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

/** How a file calls the sessions it speaks of: a key with the id beside it, or an id (or key) alone. */
export type LabelNames = ReadonlyMap<string, string | undefined>;

export function readLabelNames(path: string, column: 'rating' | 'outcome' | 'task_type'): LabelNames {
  const rows = labelRows(readLabelText(path), path, column);
  return new Map(rows.map(({ sessionId, idBesideKey }) => [sessionId, idBesideKey]));
}

export function readRatings(path: string): SessionRating[] {
  return parseRatings(readLabelText(path), path).labels;
}

/** Sessions that this author has looked at, those without a rating included. */
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

/** Session id → the mean of its ratings, brought from 1–5 to 0–1: what calibration fits to. */
export function ratingLabels(ratings: readonly SessionRating[]): Map<string, number> {
  const sums = new Map<string, { sum: number; n: number }>();
  for (const { sessionId, rating } of ratings) {
    const { sum, n } = sums.get(sessionId) ?? { sum: 0, n: 0 };
    sums.set(sessionId, { sum: sum + rating, n: n + 1 });
  }
  const [least, most] = RATING_RANGE;
  return new Map([...sums].map(([id, { sum, n }]) => [id, (sum / n - least) / (most - least)]));
}

/** One label per session: the same one twice is one, two different ones cannot both be true. */
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

function ratingOf(cell: Exclude<LabelCell, undefined>, name: string, line: number): number {
  const rating = numberOf(cell);
  const [least, most] = RATING_RANGE;
  if (rating !== undefined && rating >= least && rating <= most) return rating;
  throw new AssayError('INPUT_INVALID', `${name}:${line}: the rating ${shown(cell)} is not between 1 and 5`);
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

/** Decimals, with an exponent or without: Number() alone would also take hexadecimal and nothing at all. */
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
