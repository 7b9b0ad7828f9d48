/**
 * Opening an agent's database without leaving a trace. The agent may be using it: nothing is written, no lock is held
 * between two reads, and where no process has it open not even SQLite's helper files are made.
 */
import { lstatSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

export type DatabaseRow = Readonly<Record<string, unknown>>;

/** Undefined when it cannot be opened. */
export function openDatabase(path: string): DatabaseSync | undefined {
  if (!isRegular(path)) return undefined;
  // A write-ahead log must be read along with the store; only an orderly closed store has none.
  const inUse = exists(`${path}-wal`) || exists(`${path}-shm`) || exists(`${path}-journal`);
  return (inUse ? tryOpen(path, 'mode=ro') : undefined) ?? tryOpen(path, 'mode=ro&immutable=1');
}

function tryOpen(path: string, how: string): DatabaseSync | undefined {
  const url = pathToFileURL(path);
  url.search = how;
  let store: DatabaseSync | undefined;
  try {
    store = new DatabaseSync(url, { readOnly: true, timeout: 2_000, allowExtension: false });
    // Views and triggers of a file from somewhere else must not run functions that have effects.
    store.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON');
    store.prepare('SELECT count(*) FROM sqlite_master').get();
    return store;
  } catch {
    close(store);
    return undefined;
  }
}

export function close(store: DatabaseSync | undefined): void {
  try {
    store?.close();
  } catch {
    // Closed already, or never opened: there is nothing left to do.
  }
}

/**
 * Names of the columns of a table, empty when there is none. Views and virtual tables do not count: one could be made
 * to run forever.
 */
export function columnsOf(store: DatabaseSync, table: string): ReadonlySet<string> {
  const found = all(
    store,
    `SELECT c.name AS name FROM sqlite_master AS t, pragma_table_info(t.name) AS c
     WHERE t.type = 'table' AND t.name = ? AND t.sql NOT LIKE 'create virtual%'`,
    [table],
  );
  return new Set(found.flatMap((row) => (typeof row.name === 'string' ? [row.name] : [])));
}

/**
 * Asking for one session after the other takes as many steps as there are rows times sessions where a table has no index
 * for it. Such a table is copied once, with indexes, to where SQLite keeps what is temporary: under its own name, so
 * that every question finds the copy. What cannot be copied is asked as it is.
 */
export function withIndexes(store: DatabaseSync, table: string, columns: readonly string[]): void {
  const known = columnsOf(store, table);
  const wanted = columns.filter((column) => known.has(column));
  if (wanted.every((column) => isIndexed(store, table, column))) return;
  try {
    store.exec('PRAGMA query_only = OFF');
    store.exec(`CREATE TEMP TABLE ${table} AS SELECT * FROM main.${table}`);
    for (const column of wanted)
      store.exec(`CREATE INDEX temp.${table}_by_${column} ON ${table} (${column})`);
  } catch {
    all(store, `DROP TABLE IF EXISTS temp.${table}`);
  } finally {
    store.exec('PRAGMA query_only = ON');
  }
}

function isIndexed(store: DatabaseSync, table: string, column: string): boolean {
  const first = `SELECT 1 FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS c
    WHERE c.seqno = 0 AND c.name = ? AND i.partial = 0`;
  return all(store, first, [table, column]).length > 0;
}

/** All rows of a query that gives few; none when it fails. */
export function all(store: DatabaseSync, sql: string, values: readonly SQLInputValue[] = []): DatabaseRow[] {
  try {
    return store.prepare(sql).all(...values);
  } catch {
    return [];
  }
}

/**
 * Rows one after the other until `enough`. They are given back together, so that the store is not held while
 * somebody works on them.
 */
export function some(
  store: DatabaseSync,
  sql: string,
  values: readonly SQLInputValue[],
  enough: (row: DatabaseRow, count: number) => boolean,
): DatabaseRow[] {
  const rows: DatabaseRow[] = [];
  for (const row of store.prepare(sql).iterate(...values)) {
    rows.push(row);
    if (enough(row, rows.length)) break;
  }
  return rows;
}

function isRegular(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** A link in the place of a helper file would lead SQLite somewhere else; then the store is read without it. */
function exists(path: string): boolean {
  return isRegular(path);
}
