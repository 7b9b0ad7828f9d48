/**
 * Opens an agent's database without a trace. The agent may be using it: nothing is written, no lock is held between two
 * reads, and where no process has it open not even SQLite's helper files are created.
 */
import { lstatSync, readSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { withFile } from './open-input.ts';

export type DatabaseRow = Readonly<Record<string, unknown>>;

/** Undefined when it cannot be opened. */
export function openDatabase(path: string): DatabaseSync | undefined {
  if (!isRegular(path)) return undefined;
  // A write-ahead log must be read along with the store; only an orderly closed store has none.
  const inUse = isLog(`${path}-wal`) || exists(`${path}-shm`) || exists(`${path}-journal`);
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
    const size = [path, `${path}-wal`].reduce((sum, one) => sum + (sizeOf(one) ?? 0), 0);
    budgets.set(store, { left: ALWAYS_READ + TIMES * size });
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

/** A longer column default would expand in every row that ends before the column. */
const MAX_DEFAULT = 1000;

/**
 * Names of the columns of a table, empty when there is none. Views and virtual tables do not count: one could run
 * forever. Neither do generated columns and those with a long default: a small file would expand into a large one.
 */
export function columnsOf(store: DatabaseSync, table: string): ReadonlySet<string> {
  const found = all(
    store,
    `SELECT c.name AS name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
     WHERE t.schema = 'main' AND t.type = 'table' AND t.name = ? AND coalesce(octet_length(c.dflt_value), 0) <= ?`,
    [table, MAX_DEFAULT],
  );
  return new Set(found.flatMap((row) => (typeof row.name === 'string' ? [row.name] : [])));
}

/** A column, or one and that by which the rows that have the same in it are gone through, portion by portion. */
export type LookupColumn = string | readonly [column: string, inOrderOf: string];

/**
 * Reading one session after the other takes rows × sessions steps where a table has no index. Such a table is copied
 * once, with indexes, into SQLite's temporary storage under its own name, so that queries find the copy. A table that
 * cannot be copied is queried as it is.
 */
export function withIndexes(store: DatabaseSync, table: string, asked: readonly LookupColumn[]): void {
  const known = columnsOf(store, table);
  const wanted = asked
    .map((by) => (typeof by === 'string' ? [by] : by).filter((column) => known.has(column)))
    .filter((columns) => columns.length > 0);
  if (wanted.every((columns) => isSearched(store, table, columns))) return;
  try {
    store.exec('PRAGMA query_only = OFF');
    const names = [...known].map((name) => `"${name.replaceAll('"', '""')}"`);
    const bytes = names.map((name) => `coalesce(sum(octet_length(${name})), 0)`).join(' + ');
    // Checked before anything is read: in a damaged file rows may share their bytes.
    spend(store, Number(store.prepare(`SELECT ${bytes} AS bytes FROM main.${table}`).get()?.bytes));
    store.exec(`CREATE TEMP TABLE ${table} AS SELECT ${names.join(', ')} FROM main.${table}`);
    for (const columns of wanted)
      store.exec(`CREATE INDEX temp.${table}_by_${columns.join('_')} ON ${table} (${columns.join(', ')})`);
  } catch (error) {
    all(store, `DROP TABLE IF EXISTS temp.${table}`);
    if (error instanceof TooMuch) throw error;
  } finally {
    store.exec('PRAGMA query_only = ON');
  }
}

/** Uses SQLite's own query plan: an existing index may be unusable. */
function isSearched(store: DatabaseSync, table: string, [one = '', then]: readonly string[]): boolean {
  const order = then === undefined ? '' : ` AND ${then} > ? ORDER BY ${then}`;
  const plan = all(store, `EXPLAIN QUERY PLAN SELECT * FROM main.${table} WHERE ${one} = ?${order}`);
  return plan.length > 0 && plan.every(({ detail }) => String(detail).startsWith('SEARCH'));
}

/** All rows of a query with few results; none when it fails. */
export function all(store: DatabaseSync, sql: string, values: readonly SQLInputValue[] = []): DatabaseRow[] {
  try {
    return some(store, sql, values, () => false);
  } catch {
    return [];
  }
}

/** What was read of a store is more than can be in it. */
class TooMuch extends Error {}

const budgets = new WeakMap<DatabaseSync, { left: number }>();

/** A store is read once or a few times; one that yields far more than its size is damaged, or hostile. */
const [TIMES, ALWAYS_READ] = [32, 256 * 1024 * 1024];

function spend(store: DatabaseSync, bytes: number): void {
  const budget = budgets.get(store);
  if (budget === undefined) return;
  budget.left -= bytes;
  if (budget.left < 0) throw new TooMuch('it gives more than it holds');
}

function bytesOf(row: DatabaseRow): number {
  let bytes = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length;
  }
  return bytes;
}

/** Rows up to `enough`, returned together, so that the store is not locked while they are processed. */
export function some(
  store: DatabaseSync,
  sql: string,
  values: readonly SQLInputValue[],
  enough: (row: DatabaseRow, count: number) => boolean,
): DatabaseRow[] {
  const rows: DatabaseRow[] = [];
  for (const row of store.prepare(sql).iterate(...values)) {
    spend(store, bytesOf(row));
    rows.push(row);
    if (enough(row, rows.length)) break;
  }
  return rows;
}

function sizeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.size;
}

function isRegular(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** As SQLite begins one. It reads nothing out of any other, but would make a helper file for it. */
const LOG = Buffer.from('377f06', 'hex');

function isLog(path: string): boolean {
  if (!exists(path)) return false;
  try {
    return withFile(path, (file) => {
      const start = Buffer.alloc(LOG.length);
      return readSync(file, start, 0, start.length, 0) === start.length && start.equals(LOG);
    });
  } catch {
    return false;
  }
}

/** A link in the place of a helper file would lead SQLite somewhere else; then the store is read without it. */
function exists(path: string): boolean {
  return isRegular(path);
}
