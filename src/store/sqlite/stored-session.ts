/** A session as its row holds it, with what tells whether it is still what was written. */
import { crc32 } from 'node:zlib';
import { AssayError } from '../../errors.ts';
import { SESSION_FIELDS } from '../fields.ts';
import type { SessionRow } from '../session-row.ts';
import type { SessionSummary } from '../store.ts';
import { defineChecksum } from './checksum.ts';
import type { Connection, SqlRow } from './connection.ts';
import { packFacts, unpackFacts } from './packed-facts.ts';
import { columnName, defineTable, fromRow, insertInto, toValues } from './table.ts';

const SUMMARIES = defineTable(
  'session',
  SESSION_FIELDS.filter(({ name }) => name !== 'facts'),
);
const SUMMARY_WIDTH = SUMMARIES.fields.length;
const checksumOf = defineChecksum([...SUMMARIES.fields.map(({ name }) => columnName(name)), 'current']);
const [KEY, SCORED_AT, REVISION, ID] = ['sessionKey', 'scoredAt', 'revision', 'sessionId'].map((field) =>
  SUMMARIES.fields.findIndex(({ name }) => name === field),
) as [number, number, number, number];

/** The columns of a row without its facts, as `readStored` takes them; and those of its facts after them. */
export const STORED_COLUMNS = `${SUMMARIES.columns}, current, checksum, rowid`;
export const FACTS_COLUMNS = 'facts, facts_checksum';

export type StoredSession = {
  readonly rowid: number;
  readonly values: SqlRow;
  readonly current: number;
  /** False: it is no longer what was written. */
  readonly isWhole: boolean;
};

export function readStored(row: SqlRow): StoredSession {
  const [current, checksum, rowid] = row.slice(SUMMARY_WIDTH);
  const values = row.slice(0, SUMMARY_WIDTH);
  return {
    rowid: Number(rowid),
    values,
    current: Number(current),
    isWhole: checksum === checksumOf([...values, current]),
  };
}

export function revisionOf({ values }: StoredSession): string {
  return String(values[REVISION]);
}

export function scoredAtOf({ values }: StoredSession): string {
  return String(values[SCORED_AT]);
}

/** Throws when it is damaged. */
export function summaryOf(connection: Connection, stored: StoredSession): SessionSummary {
  if (!stored.isWhole) throw damagedSession(connection, stored.values);
  return fromRow<SessionSummary>(connection, SUMMARIES, stored.values);
}

/** The whole row; `row` has the columns of the facts at its end. */
export function sessionOf(connection: Connection, row: SqlRow): SessionRow {
  const stored = readStored(row);
  const summary = summaryOf(connection, stored);
  const facts = wholeFacts(row.slice(SUMMARY_WIDTH + 3));
  if (facts === undefined) throw damagedSession(connection, stored.values);
  return { ...summary, facts: JSON.parse(facts) };
}

/** Facts, as `FACTS_COLUMNS` reads them, as text; nothing when they are not what was written. */
export function wholeFacts([packed, checksum]: SqlRow): string | undefined {
  const facts = unpackFacts(packed);
  return facts !== undefined && crc32(facts) === checksum ? facts : undefined;
}

export function damagedSession(connection: Connection, values: SqlRow): AssayError {
  const [id, key] = [values[ID], values[KEY]].map((value) => JSON.stringify(String(value)));
  return new AssayError(
    'STORE_CORRUPT',
    `${connection.path} is damaged: the session ${id} (key ${key}) is not what was stored`,
    { remedy: 'Score its transcript again, which writes it anew, or take the store from a backup.' },
  );
}

const SESSIONS = defineTable('session', SESSION_FIELDS);
const FACTS = SESSIONS.fields.findIndex(({ name }) => name === 'facts');
const INSERT = insertInto(SESSIONS, ['current', 'checksum', 'facts_checksum'], 'session_key, revision');

/** How many rows that are: none when the revision is known. */
export function insertSession(connection: Connection, row: SessionRow, current: 0 | 1): number {
  const values = toValues(SESSIONS, row);
  const checksum = checksumOf([...values.toSpliced(FACTS, 1), current]);
  const facts = String(values[FACTS]);
  const stored = values.with(FACTS, packFacts(facts));
  return connection.run(INSERT, [current, checksum, crc32(facts), ...stored]).changes;
}

const SET_STATE =
  'UPDATE session SET session_key = ?, scored_at = ?, current = ?, checksum = ? WHERE rowid = ?';

export type StateChange = {
  readonly sessionKey?: string;
  readonly scoredAt?: string;
  readonly current?: number;
};

/** What may change of a row that is there. */
export function setState(connection: Connection, stored: StoredSession, change: StateChange): StoredSession {
  const { sessionKey = stored.values[KEY], scoredAt = stored.values[SCORED_AT] } = change;
  const { current = stored.current } = change;
  const values = stored.values.with(KEY, sessionKey ?? null).with(SCORED_AT, scoredAt ?? null);
  const checksum = checksumOf([...values, current]);
  const { rowid } = stored;
  connection.run(SET_STATE, [String(sessionKey), String(scoredAt), current, checksum, rowid]);
  return { rowid, values, current, isWhole: true };
}

/** Of rows from before there were checksums: they are taken as they are. */
export function addChecksums(connection: Connection): void {
  const update = 'UPDATE session SET checksum = ?, facts_checksum = ? WHERE rowid = ?';
  eachStored(connection, `${STORED_COLUMNS}, facts`, '', (row) => {
    const { rowid, values, current } = readStored(row);
    connection.run(update, [checksumOf([...values, current]), crc32(unpackFacts(row.at(-1)) ?? ''), rowid]);
  });
}

/** Rows read at a time: memory stays small, whatever the size of the store. */
const ROWS_AT_ONCE = 5000;

/** In the order in which they were added; `take` may change the row, and `and` is a further condition. */
export function eachStored(
  connection: Connection,
  columns: string,
  and: string,
  take: (row: SqlRow) => void,
  between: () => void = () => {},
): void {
  const sql = `SELECT ${columns} FROM session WHERE rowid > ? ${and} ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`;
  for (let last = 0; ; ) {
    const rows = connection.all(sql, [last]);
    for (const row of rows) take(row);
    between();
    const next = rows.at(-1)?.[SUMMARY_WIDTH + 2];
    if (typeof next !== 'number') return;
    last = next;
  }
}
