/** Writes and deletes sessions. */

import { SESSION_FIELDS, type SessionRow } from '../schema/session.ts';
import { Where } from '../sql/engine.ts';
import { sessionColumns, sessionValues } from '../sql/tables.ts';
import { olderThan } from '../sql/upkeep.ts';
import type { Appended } from '../store.ts';
import { CLICKHOUSE } from './clickhouse-engine.ts';
import type { Connection } from './connection.ts';
import { checkKey, KEYS_AT_ONCE } from './records.ts';

const COLUMNS = [...sessionColumns(SESSION_FIELDS).split(', '), 'facts', 'version'];
const ROWS_AT_ONCE = 20_000;

/** Skips rows that are not newer than the stored ones. Of concurrent writes the greatest version wins. */
export async function appendSessions(connection: Connection, rows: readonly SessionRow[]): Promise<Appended> {
  for (const { sessionKey } of rows) checkKey('session', sessionKey);
  const stored = await storedRows(connection, [...new Set(rows.map(({ sessionKey }) => sessionKey))]);
  const written = new Map<string, SessionRow>();
  let added = 0;
  for (const row of rows) {
    const before = stored.get(row.sessionKey);
    if (before !== undefined && versionOf(before) >= versionOf(row)) continue;
    if (before?.revision !== row.revision) added += 1;
    stored.set(row.sessionKey, row);
    written.set(row.sessionKey, row);
  }
  const values = [...written.values()].map((row) => [
    ...sessionValues(SESSION_FIELDS, row),
    JSON.stringify(row.facts),
    String(versionOf(row)),
  ]);
  for (let i = 0; i < values.length; i += ROWS_AT_ONCE)
    await connection.insert('session', COLUMNS, values.slice(i, i + ROWS_AT_ONCE));
  return { added, known: rows.length - added };
}

type Scored = Pick<SessionRow, 'scoredAt' | 'revision'>;

async function storedRows(connection: Connection, keys: readonly string[]): Promise<Map<string, Scored>> {
  const found = new Map<string, Scored>();
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) {
    const sql = `SELECT session_key, scored_at, revision FROM session FINAL WHERE session_key IN {keys:Array(String)}`;
    const rows = await connection.all(sql, { keys: keys.slice(i, i + KEYS_AT_ONCE) });
    for (const [key, scoredAt, revision] of rows)
      found.set(String(key), { scoredAt: String(scoredAt), revision: String(revision) });
  }
  return found;
}

/** When it was scored, then the first bytes of its revision. */
function versionOf({ scoredAt, revision }: Scored): bigint {
  const name = Buffer.alloc(REVISION_BYTES);
  name.write(revision);
  return (
    (BigInt(Date.parse(scoredAt) + EPOCH_MS) << BigInt(REVISION_BYTES * 8)) |
    BigInt(`0x${name.toString('hex')}`)
  );
}

const REVISION_BYTES = 24;
/** The year 0 is the first that a time may have; a version is not negative. */
const EPOCH_MS = 62_167_219_200_000;

const PRUNED_AT_ONCE = 50_000;

/** By their keys, with replaced rows: an older row must not come back when the one that replaced it is deleted. */
export async function pruneSessions(connection: Connection, before: string): Promise<number> {
  const where = olderThan(new Where(CLICKHOUSE), 'sessions', before);
  let removed = 0;
  for (;;) {
    const rows = await connection.all(
      `SELECT session_key FROM session FINAL${where.sql} LIMIT ${PRUNED_AT_ONCE}`,
      where.values,
    );
    if (rows.length === 0) return removed;
    const keys = rows.map(([key]) => String(key));
    await connection.remove('session', 'session_key IN {keys:Array(String)}', { keys });
    removed += keys.length;
  }
}
