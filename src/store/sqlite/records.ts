/** Writes and deletes runs and flat records. Everything here is done inside a transaction. */
import { AssayError } from '../../errors.ts';
import { RUN_COLUMNS, runValues } from '../sql/runs.ts';
import { RUN, recordColumns, type Table, valuesOf } from '../sql/tables.ts';
import type { Appended, RunRecord } from '../store.ts';
import type { Connection } from './connection.ts';
import { pack } from './sqlite-engine.ts';

export function appendKeyed(connection: Connection, table: Table, records: readonly object[]): Appended {
  let added = 0;
  for (const record of records) if (insertKeyed(connection, table, record)) added += 1;
  return { added, known: records.length - added };
}

/** Whether it is new. */
export function insertKeyed(connection: Connection, table: Table, record: object): boolean {
  return insert(connection, table, recordColumns(table), valuesOf(table, record));
}

export function appendRuns(connection: Connection, runs: readonly RunRecord[]): Appended {
  let added = 0;
  for (const run of runs) {
    const { values, cases } = runValues(run);
    if (insert(connection, RUN, RUN_COLUMNS, [...values, pack(cases)])) added += 1;
  }
  return { added, known: runs.length - added };
}

/** The key comes first, and the hash after the body. */
function insert(
  connection: Connection,
  { name, key, fields }: Table,
  columns: string,
  values: readonly (string | Uint8Array | null)[],
): boolean {
  if (insertOrIgnore(connection, name, columns, values)) return true;
  const [id = null, hash] = [values[0], values[fields.length + 1]];
  const stored = connection.get(`SELECT content_hash FROM ${name} WHERE ${key} = ?`, [id]);
  if (stored?.[0] === hash) return false;
  throw new AssayError(
    'STORE_CONFLICT',
    `${connection.path} already has the ${name} ${JSON.stringify(id)} with different content`,
  );
}

/** A record of the same key stays as it is. */
export function insertNew(connection: Connection, table: Table, record: object): boolean {
  return insertOrIgnore(connection, table.name, recordColumns(table), valuesOf(table, record));
}

function insertOrIgnore(
  connection: Connection,
  name: string,
  columns: string,
  values: readonly (string | Uint8Array | null)[],
): boolean {
  const marks = values.map(() => '?').join(', ');
  const sql = `INSERT INTO ${name} (${columns}) VALUES (${marks}) ON CONFLICT DO NOTHING`;
  return connection.run(sql, values).changes > 0;
}

export function pruneByTime(connection: Connection, table: string, before: string): number {
  return connection.run(`DELETE FROM ${table} WHERE at < ?`, [before]).changes;
}

/** Records about deleted ones go with them, and those about none by their own age. */
export function pruneWith(
  connection: Connection,
  { table, about, key }: { readonly table: string; readonly about: string; readonly key: string },
  before: string,
): number {
  connection.run(
    `DELETE FROM ${about} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE at < :before)
     OR (at < :before AND ${key} NOT IN (SELECT ${key} FROM ${table}))`,
    { before },
  );
  return pruneByTime(connection, table, before);
}
