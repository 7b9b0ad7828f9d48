/** Writes and deletes runs and flat records. Everything here is done inside a transaction. */
import { AssayError } from '../../errors.ts';
import { contentHash } from '../canonical.ts';
import type { CheckedRun } from '../run-fields.ts';
import { RUN_COLUMNS, runValues } from '../sql/runs.ts';
import { columnsOf, keyColumn, RUN, type Table, toValues } from '../sql/tables.ts';
import type { Appended } from '../store.ts';
import type { Connection } from './connection.ts';
import { pack } from './sqlite-engine.ts';

export function appendKeyed(connection: Connection, table: Table, records: readonly object[]): Appended {
  let added = 0;
  for (const record of records) if (insertKeyed(connection, table, record)) added += 1;
  return { added, known: records.length - added };
}

/** Whether it is new. */
export function insertKeyed(connection: Connection, table: Table, record: object): boolean {
  const values = toValues(table.fields, record);
  const hash = contentHash(record);
  const columns = `${columnsOf(table.fields)}, content_hash`;
  const marks = `${'?, '.repeat(values.length)}?`;
  const sql = `INSERT INTO ${table.name} (${columns}) VALUES (${marks}) ON CONFLICT DO NOTHING`;
  if (connection.run(sql, [...values, hash]).changes > 0) return true;
  assertSame(connection, table, String(values[0]), hash);
  return false;
}

const INSERT_RUN = `INSERT INTO run (${RUN_COLUMNS}) VALUES (${'?, '.repeat(RUN.fields.length)}?, ?) ON CONFLICT DO NOTHING`;

export function appendRuns(
  connection: Connection,
  runs: readonly { readonly run: CheckedRun; readonly caseCount: number }[],
): Appended {
  let added = 0;
  for (const one of runs) {
    const { columns, cases, hash } = runValues(one);
    const { changes } = connection.run(INSERT_RUN, [...columns, pack(cases), hash]);
    if (changes === 0) assertSame(connection, RUN, one.run.runId, hash);
    added += changes;
  }
  return { added, known: runs.length - added };
}

function assertSame(connection: Connection, table: Table, key: string, hash: string): void {
  const sql = `SELECT content_hash FROM ${table.name} WHERE ${keyColumn(table)} = ?`;
  if (connection.get(sql, [key])?.[0] === hash) return;
  throw new AssayError(
    'STORE_CONFLICT',
    `${connection.path} already has the ${table.name} ${JSON.stringify(key)} with different content`,
  );
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
