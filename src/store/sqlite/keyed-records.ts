/** Ratings, approvals and alerts: flat records with one key, the first field, and a time `at`. */
import { AssayError } from '../../errors.ts';
import { contentHash } from '../canonical.ts';
import { ALERT_FIELDS, APPROVAL_FIELDS, RATING_FIELDS } from '../fields.ts';
import { checkLimit, checkSince } from '../query.ts';
import type { Appended, TimeQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import {
  columnName,
  damaged,
  defineTable,
  fromRow,
  insertInto,
  type Table,
  toValues,
  type Where,
} from './table.ts';

export const RATINGS = defineTable('rating', RATING_FIELDS);
export const APPROVALS = defineTable('approval', APPROVAL_FIELDS);
export const ALERTS = defineTable('alert', ALERT_FIELDS);

/** Inside a transaction. */
export function appendKeyed(connection: Connection, table: Table, records: readonly object[]): Appended {
  const key = keyColumn(table);
  const insert = insertInto(table, ['content_hash'], key);
  let added = 0;
  for (const record of records) {
    const values = toValues(table, record);
    const hash = contentHash(record);
    const { changes } = connection.run(insert, [hash, ...values]);
    if (changes === 0) assertSame(connection, table.name, key, String(values[0]), hash);
    added += changes;
  }
  return { added, known: records.length - added };
}

export function assertSame(
  connection: Connection,
  table: string,
  key: string,
  id: string,
  hash: string,
): void {
  const stored = connection.get(`SELECT content_hash FROM ${table} WHERE ${key} = ?`, [id])?.[0];
  if (stored === hash) return;
  throw new AssayError(
    'STORE_CONFLICT',
    `${connection.path} already has the ${table} ${JSON.stringify(id)} with different content`,
  );
}

export function readKeyed<R extends object>(
  connection: Connection,
  table: Table,
  where: Where,
  query: TimeQuery,
): R[] {
  where.and('at >= ?', checkSince(query.since));
  const sql = `SELECT ${table.columns}, content_hash FROM ${table.name}${where.sql} ORDER BY at DESC, ${keyColumn(table)} DESC LIMIT ?`;
  const rows = connection.all(sql, [...where.values, checkLimit(query.limit) ?? -1]);
  return rows.map((row) => verified<R>(connection, table, row)).reverse();
}

function verified<R extends object>(connection: Connection, table: Table, row: readonly unknown[]): R {
  const record = fromRow<R>(connection, table, row as Parameters<typeof fromRow>[2]);
  if (contentHash(record) !== row[table.fields.length]) throw damaged(connection, table.name, 'contentHash');
  return record;
}

function keyColumn(table: Table): string {
  return columnName(table.fields[0]?.name ?? '');
}
