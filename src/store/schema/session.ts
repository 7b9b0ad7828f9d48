/**
 * The row of a session: the columns that are printed (session/columns.ts), those that only the store has, and its facts.
 * Reading and writing millions of rows follows this list, without Zod; the wire derives its schema from the same columns.
 */
import { type CamelCase, camelCase } from '../../letter-case.ts';
import { type SessionColumn, STORED_COLUMNS, type StoredColumns } from '../../session/columns.ts';
import { finite, invalid, isPlainObject, isTime, normalise } from '../canonical.ts';
import type { Json } from './records.ts';

type StoredColumn = Pick<SessionColumn, 'key' | 'doc' | 'required'> & {
  readonly type: 'text' | 'number' | 'time';
};

export const STORE_COLUMNS = [
  {
    key: 'revision',
    type: 'text',
    required: true,
    doc: 'Hash of the result: unchanged until the session grows or is scored differently',
  },
  {
    key: 'scored_at',
    type: 'time',
    required: true,
    doc: 'When it was last scored, UTC; scoring the same content again within a day does not change it',
  },
  { key: 'cost_at_least', type: 'number', doc: '1: `cost_usd` is a lower bound' },
  { key: 'other_models', type: 'text', doc: 'Further models it used, one per line' },
  {
    key: 'attention',
    type: 'number',
    doc: 'How much it needs attention, by its receipts and cost; 0: it needs none',
  },
  {
    key: 'receipts',
    type: 'text',
    doc: 'Findings about the session with their lines, most serious first, as JSON',
  },
  { key: 'instance', type: 'text', doc: 'The name of the run in a file with many results' },
  { key: 'place', type: 'number', doc: 'Its position in its file, from 0' },
  {
    key: 'transcript_q',
    type: 'number',
    doc: 'Q from the transcript alone, where the repository, checks or joined outcomes change it',
  },
  { key: 'task', type: 'text', doc: 'Identifies the task: equal for sessions with the same request' },
] as const satisfies readonly StoredColumn[];

type Declared = (typeof STORE_COLUMNS)[number];
type Required = Extract<Declared, { readonly required: true }>;
type ValueOf<C extends Declared> = C['type'] extends 'number' ? number : string;

/**
 * One scored session. `undefined` is unmeasured. Key: `sessionKey`; several sessions may have one `sessionId`. The same
 * session scored again with the same result has the same revision; a grown or re-weighted one has a new one, and the one
 * scored last is the current one. So scoring again moves the `scoredAt` of a stored revision forward: who goes back to
 * former weights sees the former revision again.
 */
export type SessionRow = StoredColumns & {
  readonly [C in Required as CamelCase<C['key']>]: ValueOf<C>;
} & {
  readonly [C in Exclude<Declared, Required> as CamelCase<C['key']>]?: ValueOf<C>;
} & {
  /** Compact facts, enough to score again with other weights after the transcript is gone; never its text. */
  readonly facts: Json;
};

export type SessionField = {
  readonly name: string;
  readonly kind: 'text' | 'time' | 'number';
  readonly optional: boolean;
};

/** Of a row without its facts. */
export const SESSION_FIELDS: readonly SessionField[] = [
  ...STORED_COLUMNS.map(({ key, type, required, storedLater }) => ({
    name: camelCase(key),
    kind: type,
    optional: required !== true || storedLater === true,
  })),
  ...STORE_COLUMNS.map(({ key, type, ...column }: StoredColumn) => ({
    name: camelCase(key),
    kind: type,
    optional: column.required !== true,
  })),
];

/** A normalised copy of each, or INPUT_INVALID naming the field. Unknown fields are refused: they would be lost. */
export function checkSessions(rows: readonly SessionRow[]): SessionRow[] {
  return rows.map((row, i) => checkSession(row, `sessions[${i}]`));
}

function checkSession(row: unknown, where: string): SessionRow {
  if (!isPlainObject(row)) throw invalid(where, 'must be a plain object');
  const checked: Record<string, unknown> = { facts: normalise(row.facts, `${where}.facts`) };
  let found = 1;
  for (const field of SESSION_FIELDS) {
    const value = row[field.name];
    if (value !== undefined) {
      checked[field.name] = checkValue(field, value, `${where}.${field.name}`);
      found += 1;
    } else if (!field.optional) {
      throw invalid(`${where}.${field.name}`, 'is missing');
    }
  }
  const present = Object.keys(row).filter((name) => row[name] !== undefined);
  if (present.length !== found) {
    const unknown = present.find((name) => !Object.hasOwn(checked, name));
    throw invalid(`${where}.${unknown}`, 'is not a field of the store; it would be lost');
  }
  return checked as SessionRow;
}

function checkValue({ kind }: SessionField, value: unknown, where: string): string | number {
  if (kind === 'number') return finite(value, where);
  if (typeof value !== 'string') throw invalid(where, 'must be a string');
  if (kind === 'time' && !isTime(value))
    throw invalid(where, 'must be a time in UTC such as 2026-01-31T09:30:00.000Z');
  return value.toWellFormed();
}
