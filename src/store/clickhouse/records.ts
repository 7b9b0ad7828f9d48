/** Writes and deletes runs and flat records. */
import { AssayError } from '../../errors.ts';
import { invalid } from '../canonical.ts';
import { runValues } from '../sql/runs.ts';
import { RUN, recordColumns, type Table, valuesOf } from '../sql/tables.ts';
import type { Appended, RunRecord } from '../store.ts';
import type { Connection, RowValues } from './connection.ts';

/** Keys per query: the length of a query is limited. */
export const KEYS_AT_ONCE = 1000;

export function appendKeyed(
  connection: Connection,
  table: Table,
  records: readonly object[],
): Promise<Appended> {
  const rows = records.map((record) => valuesOf(table, record));
  return appendRows(connection, table.name, recordColumns(table).split(', '), rows);
}

/** A record of the same key stays as it is. */
export async function appendNew(connection: Connection, table: Table, record: object): Promise<void> {
  try {
    await appendKeyed(connection, table, [record]);
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'STORE_CONFLICT') throw error;
  }
}

export function appendRuns(connection: Connection, runs: readonly RunRecord[]): Promise<Appended> {
  const rows = runs.map((run) => {
    const { values, cases } = runValues(run);
    return values.toSpliced(-1, 0, cases);
  });
  return appendRows(connection, RUN.name, recordColumns(RUN).split(', ').toSpliced(-1, 0, 'cases'), rows);
}

/** The key is the first column, the hash the last. `complete` gets the new rows. */
export async function appendRows(
  connection: Connection,
  table: string,
  columns: readonly string[],
  rows: readonly RowValues[],
  complete: (added: readonly RowValues[]) => readonly RowValues[] = (added) => added,
): Promise<Appended> {
  for (const [key] of rows) checkKey(table, String(key));
  const hashes = await storedHashes(
    connection,
    table,
    columns[0] as string,
    rows.map(([key]) => String(key)),
  );
  const added: RowValues[] = [];
  for (const row of rows) {
    const [key, hash] = [String(row[0]), String(row.at(-1))];
    const stored = hashes.get(key);
    if (stored === undefined) {
      hashes.set(key, hash);
      added.push(row);
    } else if (stored !== hash) throw conflict(connection, table, key);
  }
  const written = complete(added);
  const [only] = added.length === 1 ? added : [];
  // By its key: of several who write a record at once, as a claim is written, the first one is taken.
  await connection.insert(table, columns, written, only && `${table} ${only[0]}`);
  // The key was there and has been deleted since.
  if (only !== undefined && !(await isThere(connection, table, columns[0] as string, only)))
    await connection.insert(table, columns, written);
  await assertOwn(connection, table, columns[0] as string, added);
  return { added: added.length, known: rows.length - added.length };
}

/** Keys travel as parameters, and those have a longest length. */
const LONGEST_KEY = 30_000;

export function checkKey(table: string, key: string): void {
  if (key.length > LONGEST_KEY)
    throw invalid(
      `the key of the ${table}`,
      `is longer than the ${LONGEST_KEY} characters that Assay queries ClickHouse for`,
    );
}

async function isThere(
  connection: Connection,
  table: string,
  keyColumn: string,
  [key]: RowValues,
): Promise<boolean> {
  return (await storedHashes(connection, table, keyColumn, [String(key)])).size > 0;
}

/** Somebody else may have written the same key meanwhile. */
async function assertOwn(
  connection: Connection,
  table: string,
  keyColumn: string,
  rows: readonly RowValues[],
): Promise<void> {
  const keys = rows.map(([key]) => String(key));
  const hashes = await storedHashes(connection, table, keyColumn, keys);
  for (const row of rows)
    if (hashes.get(String(row[0])) !== row.at(-1)) throw conflict(connection, table, String(row[0]));
}

async function storedHashes(
  connection: Connection,
  table: string,
  keyColumn: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) {
    const sql = `SELECT ${keyColumn}, content_hash FROM ${table} FINAL WHERE ${keyColumn} IN {keys:Array(String)}`;
    const rows = await connection.all(sql, { keys: keys.slice(i, i + KEYS_AT_ONCE) });
    for (const [key, hash] of rows) found.set(String(key), String(hash));
  }
  return found;
}

function conflict({ place }: Connection, table: string, key: string): AssayError {
  return new AssayError(
    'STORE_CONFLICT',
    `${place.address} already has the ${table} ${JSON.stringify(key)} with different content`,
  );
}

export async function pruneByTime(connection: Connection, table: string, before: string): Promise<number> {
  const [row] = await connection.all(`SELECT count() FROM ${table} FINAL WHERE at < {before:String}`, {
    before,
  });
  const count = Number(row?.[0]);
  if (count > 0) await connection.remove(table, 'at < {before:String}', { before });
  return count;
}

/** Records about deleted ones go with them, and those about none by their own age. */
export async function pruneWith(
  connection: Connection,
  table: string,
  about: string,
  key: string,
  before: string,
): Promise<number> {
  const over = `${key} IN (SELECT ${key} FROM ${table} WHERE at < {before:String})
     OR (at < {before:String} AND ${key} NOT IN (SELECT ${key} FROM ${table}))`;
  // Deleting rewrites parts, also where nothing is to be deleted.
  const [some] = await connection.all(`SELECT 1 FROM ${about} WHERE ${over} LIMIT 1`, { before });
  if (some !== undefined) await connection.remove(about, over, { before });
  return pruneByTime(connection, table, before);
}
