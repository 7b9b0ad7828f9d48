/** What every session database needs: detected by its tables, read session by session, up to a damaged row. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  close,
  columnsOf,
  type DatabaseRow,
  type LookupColumn,
  openDatabase,
  some,
  withIndexes,
} from '../files/open-database.ts';
import { type JsonObject, parsed } from '../json/json-fields.ts';
import type { SessionStore, Sidecar, StoreSession } from './format.ts';

export type RowProblem = Parameters<SessionStore['sessions']>[1];

/** No sound row is larger. */
export const MAX_ROW_BYTES = 64 * 1024 * 1024;

export function isDatabaseWith(path: string, tables: Readonly<Record<string, readonly string[]>>): boolean {
  const store = openDatabase(path);
  if (store === undefined) return false;
  const is = Object.entries(tables).every(([table, names]) => {
    const columns = columnsOf(store, table);
    return names.every((name) => columns.has(name));
  });
  close(store);
  return is;
}

export type DatabaseSession = {
  readonly id: string;
  readonly records: Iterable<JsonObject>;
  readonly sidecar?: Sidecar;
};

export function* databaseSessions(
  path: string,
  problem: RowProblem,
  /** The columns by which rows of a table are looked up, session after session. */
  asked: Readonly<Record<string, readonly LookupColumn[]>>,
  sessionsIn: (store: DatabaseSync) => Iterable<DatabaseSession>,
): Generator<StoreSession> {
  const store = openDatabase(path);
  if (store === undefined) {
    problem('store');
    return;
  }
  try {
    for (const [table, columns] of Object.entries(asked)) withIndexes(store, table, columns);
    for (const { id, records, ...more } of sessionsIn(store))
      yield { sessionId: id, records: numbered(records, problem), ...more };
  } catch {
    problem('store');
  } finally {
    close(store);
  }
}

function* numbered(
  records: Iterable<JsonObject>,
  problem: RowProblem,
): Generator<{ line: number; record: JsonObject }> {
  let line = 0;
  try {
    for (const record of records) {
      line += 1;
      yield { line, record };
    }
  } catch {
    problem('store');
  }
}

export function rowsOf(
  store: DatabaseSync,
  sql: string,
  values: readonly SQLInputValue[] = [],
): DatabaseRow[] {
  return some(store, sql, values, () => false);
}

/** Those of the wanted columns that this version of a table has, as a list for a query. */
function selected(store: DatabaseSync, table: string, wanted: readonly string[]): string {
  const columns = columnsOf(store, table);
  return wanted.filter((name) => columns.has(name)).join(', ');
}

/** How an agent stores a row for each session and one for each message. Column names are separated by blanks. */
export type SessionTables = {
  readonly session: string;
  readonly only?: string;
  readonly sessionsInOrder: string;
  readonly message: string;
  /** The column with the content, which may be large. */
  readonly content: string;
  readonly messagesInOrder: string;
  readonly header: (session: JsonObject) => JsonObject;
  readonly record: (message: JsonObject, content: unknown) => JsonObject;
};

export function messageSessions(
  path: string,
  problem: RowProblem,
  tables: SessionTables,
): Iterable<StoreSession> {
  return databaseSessions(path, problem, { messages: ['session_id'] }, (store) => {
    const columns = selected(store, 'sessions', tables.session.split(/\s+/));
    const found = rowsOf(
      store,
      `SELECT ${columns} FROM sessions WHERE typeof(id) = 'text' AND ${tables.only ?? 'true'} ORDER BY ${tables.sessionsInOrder}`,
    );
    return found.map((row) => ({ id: String(row.id), records: recordsOf(row) }));
    function* recordsOf(row: JsonObject): Generator<JsonObject> {
      yield tables.header(row);
      const wanted = selected(store, 'messages', tables.message.split(/\s+/));
      const content = `CASE WHEN octet_length(${tables.content}) <= ? THEN ${tables.content} END AS content_read`;
      const sql = `SELECT ${wanted}, ${content} FROM messages WHERE session_id = ? ORDER BY ${tables.messagesInOrder}`;
      for (const { content_read, ...message } of rowsOf(store, sql, [MAX_ROW_BYTES, String(row.id)]))
        yield tables.record(message, content_read);
    }
  });
}

export function parsedList(content: unknown, problem: RowProblem): unknown {
  const list = parsed(content);
  if (!Array.isArray(list)) problem('row');
  return list;
}
