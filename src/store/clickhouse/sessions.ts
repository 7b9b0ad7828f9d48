import { AssayError } from '../../errors.ts';
import type { SessionRow } from '../session-row.ts';
import type { Appended, SessionQuery, SessionSummary } from '../store.ts';
import type { Connection, RowValues } from './connection.ts';
import { checkKey } from './keyed-records.ts';
import {
  hourOf,
  ROW_COLUMNS,
  rowOf,
  SUMMARY,
  sessionOf,
  summaryOf,
  tombstone,
  versionOf,
  WHOLE,
} from './session-rows.ts';
import { fromSessions, pageOf } from './session-select.ts';

const KEYS_AT_ONCE = 1000;
const ROWS_AT_ONCE = 20_000;

type Known = { readonly hour: number; readonly version: bigint };

/** Where a session lies: its revisions, and the one that is current. */
class Placed {
  readonly revisions = new Map<string, Known>();

  get current(): Known | undefined {
    return [...this.revisions.values()].reduce<Known | undefined>(
      (last, one) => (last === undefined || one.version > last.version ? one : last),
      undefined,
    );
  }
}

export async function appendSessions(connection: Connection, rows: readonly SessionRow[]): Promise<Appended> {
  for (const { sessionKey } of rows) checkKey('session', sessionKey);
  const places = await placesOf(connection, [...new Set(rows.map(({ sessionKey }) => sessionKey))]);
  const written: RowValues[] = [];
  let added = 0;
  for (const row of rows) {
    const place = places.get(row.sessionKey) ?? new Placed();
    places.set(row.sessionKey, place);
    const known = place.revisions.get(row.revision);
    if (known === undefined) added += 1;
    written.push(...rowsFor(row, place));
  }
  for (let i = 0; i < written.length; i += ROWS_AT_ONCE)
    await connection.insert('session', ROW_COLUMNS, written.slice(i, i + ROWS_AT_ONCE));
  return { added, known: rows.length - added };
}

/** What has to be written of a session, given where it lies. */
function rowsFor(row: SessionRow, place: Placed): RowValues[] {
  const [version, hour] = [versionOf(row), hourOf(row.startedAt)];
  const known = place.revisions.get(row.revision);
  if (known !== undefined && known.version >= version) return [];
  const before = place.current;
  place.revisions.set(row.revision, { hour, version });
  if (before === undefined || before.hour === hour) return [rowOf(row, 0)];
  // At two hours only one of them may be seen.
  if (before.version > version) return [rowOf(row, 1)];
  return [rowOf(row, 0), tombstone(row.sessionKey, before.hour, version)];
}

async function placesOf(connection: Connection, keys: readonly string[]): Promise<Map<string, Placed>> {
  const places = new Map<string, Placed>();
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) {
    const sql = `SELECT session_key, revision, scored_at, hour FROM session_place FINAL
      WHERE session_key IN {keys:Array(String)}`;
    const rows = await connection.all(sql, { keys: keys.slice(i, i + KEYS_AT_ONCE) });
    for (const [key, name, scoredAt, hour] of rows) {
      const place = places.get(String(key)) ?? new Placed();
      places.set(String(key), place);
      const revision = String(name);
      const version = versionOf({ scoredAt: new Date(Number(scoredAt)).toISOString(), revision });
      place.revisions.set(revision, { hour: Number(hour), version });
    }
  }
  return places;
}

export async function readSession(
  connection: Connection,
  sessionKey: string,
): Promise<SessionRow | undefined> {
  const sql = `SELECT ${WHOLE} FROM session FINAL
    WHERE hour IN (SELECT hour FROM session_place WHERE session_key = {key:String}) AND session_key = {key:String}
    LIMIT 1`;
  const [row] = await connection.all(sql, { key: sessionKey });
  return row && sessionOf(connection, row);
}

/** Those that are there, in no order. */
export async function readSessionsOf(connection: Connection, keys: readonly string[]): Promise<SessionRow[]> {
  const sql = `SELECT ${WHOLE} FROM session FINAL
    WHERE (hour, session_key) IN (SELECT hour, session_key FROM session_place WHERE session_key IN {keys:Array(String)})`;
  return (await connection.all(sql, { keys })).map((row) => sessionOf(connection, row));
}

export async function listSessions(connection: Connection, query: SessionQuery): Promise<SessionSummary[]> {
  const selected = await fromSessions(connection, query);
  const sql = pageOf(selected, SUMMARY, query);
  return (await connection.all(sql, selected.values)).map((row) => summaryOf(connection, row));
}

export async function* iterateSessions(
  connection: Connection,
  query: SessionQuery,
): AsyncGenerator<SessionRow> {
  const selected = await fromSessions(connection, query);
  const sql = pageOf(selected, WHOLE, query);
  for await (const row of connection.iterate(sql, selected.values)) {
    try {
      yield sessionOf(connection, row);
    } catch (error) {
      if (query.onDamage === undefined || !(error instanceof AssayError)) throw error;
      query.onDamage(error);
    }
  }
}

export async function countSessions(
  connection: Connection,
  { limit: _, ...query }: SessionQuery,
): Promise<number> {
  const { from, values } = await fromSessions(connection, query);
  const [row] = await connection.all(`SELECT count() FROM ${from}`, values);
  return Number(row?.[0]);
}
