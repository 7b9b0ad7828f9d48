/** Ratings, approvals, alerts, their events, feedback, deliveries and the audit log: flat records with one key, the first field, and a time. */
import { AssayError } from '../../errors.ts';
import { readOrAltered } from '../altered-record.ts';
import { contentHash, invalid } from '../canonical.ts';
import {
  ALERT_EVENT_FIELDS,
  ALERT_FIELDS,
  APPROVAL_FIELDS,
  AUDIT_FIELDS,
  DELIVERY_ATTEMPT_FIELDS,
  DELIVERY_FIELDS,
  FEEDBACK_FIELDS,
  type Field,
  RATING_FIELDS,
} from '../fields.ts';
import { checkLimit, checkPeriod, checkPosition } from '../query.ts';
import type { Appended, TimeQuery } from '../store.ts';
import type { Connection, RowValues } from './connection.ts';
import { columnName, damaged, fromRow, toValues } from './table.ts';
import type { Where } from './where.ts';

export type KeyedTable = { readonly name: string; readonly fields: readonly Field[] };

export const RATINGS: KeyedTable = { name: 'rating', fields: RATING_FIELDS };
export const APPROVALS: KeyedTable = { name: 'approval', fields: APPROVAL_FIELDS };
export const ALERTS: KeyedTable = { name: 'alert', fields: ALERT_FIELDS };
export const ALERT_EVENTS: KeyedTable = { name: 'alert_event', fields: ALERT_EVENT_FIELDS };
export const AUDIT: KeyedTable = { name: 'audit', fields: AUDIT_FIELDS };
export const FEEDBACK: KeyedTable = { name: 'feedback', fields: FEEDBACK_FIELDS };
export const DELIVERIES: KeyedTable = { name: 'delivery', fields: DELIVERY_FIELDS };
export const DELIVERY_ATTEMPTS: KeyedTable = { name: 'delivery_attempt', fields: DELIVERY_ATTEMPT_FIELDS };

/** Keys that are asked for at once: an address has a longest length. */
export const KEYS_AT_ONCE = 1000;

export async function appendKeyed(
  connection: Connection,
  { name, fields }: KeyedTable,
  records: readonly object[],
): Promise<Appended> {
  const columns = [...fields.map((field) => columnName(field.name)), 'content_hash'];
  const rows = records.map((record) => [...toValues(fields, record), contentHash(record)]);
  return appendRows(connection, name, columns, rows);
}

/** The key comes first in a row, its hash last. `complete` is given what is new. */
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
      `is longer than the ${LONGEST_KEY} characters that ClickHouse is asked for`,
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

export async function readKeyed<R extends object>(
  connection: Connection,
  { name, fields }: KeyedTable,
  where: Where,
  query: TimeQuery & { readonly altered?: 'told' },
): Promise<R[]> {
  const { order = 'oldest', after, limit } = query;
  const columns = fields.map((field) => columnName(field.name));
  narrowByTime(where, query, columns[0] as string);
  // Without a place to go on from, the latest ones are wanted, whichever way they are told.
  const forwards = order === 'oldest' && after !== undefined;
  const direction = forwards ? 'ASC' : 'DESC';
  const sql = `SELECT ${columns.join(', ')}, content_hash FROM ${name} FINAL${where.sql}
    ORDER BY at ${direction}, ${columns[0]} ${direction}${limitOf(limit)}`;
  const rows = await connection.all(sql, where.values);
  const records = rows.map((row) =>
    readOrAltered(fields, row, query.altered, () => {
      const record = fromRow<R>(connection.place, name, fields, row);
      if (contentHash(record) !== row.at(-1)) throw damaged(connection.place, name, 'contentHash');
      return record;
    }),
  );
  return order === 'oldest' && !forwards ? records.reverse() : records;
}

export function narrowByTime(where: Where, query: TimeQuery, key: string): void {
  const { since, until } = checkPeriod(query);
  const { order = 'oldest', after } = query;
  where.and('at >= ?', 'String', since).and('at < ?', 'String', until).inProjects(query.inProjects);
  if (after === undefined) return;
  checkPosition(after);
  where.and(`(at, ${key}) ${order === 'oldest' ? '>' : '<'} (?, ?)`, 'String', after.at, after.key);
}

/** A checked whole number, so that it may stand in the text. */
export function limitOf(limit: number | undefined): string {
  const checked = checkLimit(limit);
  return checked === undefined ? '' : ` LIMIT ${checked}`;
}
