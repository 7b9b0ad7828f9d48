/** Ratings, approvals, alerts, their events, feedback, deliveries and the audit log: flat records with one key, the first field, and a time. */
import { AssayError } from '../../errors.ts';
import { readOrAltered } from '../altered-record.ts';
import { contentHash } from '../canonical.ts';
import {
  ALERT_EVENT_FIELDS,
  ALERT_FIELDS,
  APPROVAL_FIELDS,
  AUDIT_FIELDS,
  DELIVERY_ATTEMPT_FIELDS,
  DELIVERY_FIELDS,
  FEEDBACK_FIELDS,
  RATING_FIELDS,
} from '../fields.ts';
import { checkLimit, checkPeriod, checkPosition } from '../query.ts';
import type { Appended, TimeQuery } from '../store.ts';
import type { Connection, SqlRow } from './connection.ts';
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
export const ALERT_EVENTS = defineTable('alert_event', ALERT_EVENT_FIELDS);
export const AUDIT = defineTable('audit', AUDIT_FIELDS);
export const FEEDBACK = defineTable('feedback', FEEDBACK_FIELDS);
export const DELIVERIES = defineTable('delivery', DELIVERY_FIELDS);
export const DELIVERY_ATTEMPTS = defineTable('delivery_attempt', DELIVERY_ATTEMPT_FIELDS);

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
  query: TimeQuery & { readonly altered?: 'told' },
): R[] {
  const { since, until } = checkPeriod(query);
  const { order = 'oldest', after } = query;
  const key = `${table.name}.${keyColumn(table)}`;
  const at = `${table.name}.at`;
  where
    .and(`${at} >= ?`, since)
    .and(`${at} < ?`, until)
    .inProjects(`${table.name}.project`, query.inProjects);
  if (after !== undefined) {
    checkPosition(after);
    where.andAll(`(${at}, ${key}) ${order === 'oldest' ? '>' : '<'} (?, ?)`, [after.at, after.key]);
  }
  // Without a place to go on from, the latest ones are wanted, whichever way they are told.
  const forwards = order === 'oldest' && after !== undefined;
  const direction = forwards ? 'ASC' : 'DESC';
  const columns = [...table.fields.map(({ name }) => columnName(name)), 'content_hash'];
  const sql = `SELECT ${columns.map((name) => `${table.name}.${name}`).join(', ')} FROM ${table.name}${where.sql}
    ORDER BY ${at} ${direction}, ${key} ${direction} LIMIT ?`;
  const rows = connection.all(sql, [...where.values, checkLimit(query.limit) ?? -1]);
  const records = rows.map((row) =>
    readOrAltered(table.fields, row, query.altered, () => verified<R>(connection, table, row)),
  );
  return order === 'oldest' && !forwards ? records.reverse() : records;
}

function verified<R extends object>(connection: Connection, table: Table, row: SqlRow): R {
  const record = fromRow<R>(connection, table, row);
  if (contentHash(record) !== row[table.fields.length]) throw damaged(connection, table.name, 'contentHash');
  return record;
}

/** Inside a transaction: how many went. */
export function pruneKeyed(connection: Connection, table: Table, before: string): number {
  return connection.run(`DELETE FROM ${table.name} WHERE at < ?`, [before]).changes;
}

export function keyColumn(table: Table): string {
  return columnName(table.fields[0]?.name ?? '');
}
