/** What every database of sessions needs: told by its tables, read session by session, up to where it breaks off. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type AskedBy,
  close,
  columnsOf,
  type DatabaseRow,
  openDatabase,
  some,
  withIndexes,
} from '../files/open-database.ts';
import type { JsonObject } from '../json/json-fields.ts';
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
  /** By which columns the rows of a table are asked for, session after session. */
  asked: Readonly<Record<string, readonly AskedBy[]>>,
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
export function selected(store: DatabaseSync, table: string, wanted: readonly string[]): string {
  const columns = columnsOf(store, table);
  return wanted.filter((name) => columns.has(name)).join(', ');
}
