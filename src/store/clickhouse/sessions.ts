import { AssayError } from '../../errors.ts';
import type { RollupQuery } from '../rollup.ts';
import type { SessionRow } from '../session-row.ts';
import type { Appended, SessionQuery, SessionSummary } from '../store.ts';
import type { Connection, RowValues } from './connection.ts';
import { checkKey } from './keyed-records.ts';
import type { RolledDays } from './rolled-days.ts';
import { sessionRollup } from './session-rollup.ts';
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
import { allOf, COUNT, fromSessions, readPage } from './session-select.ts';

const KEYS_AT_ONCE = 1000;
const ROWS_AT_ONCE = 20_000;

type Known = { readonly hour: number; readonly version: bigint; readonly isDone: boolean };

/** Where a session lies: its revisions, and the one that is current. */
class Placed {
  readonly #revisions = new Map<string, Known>();
  readonly #hours = new Set<number>();

  note(revision: string, known: Known): void {
    this.#hours.add(known.hour);
    const before = this.#revisions.get(revision);
    if (before === undefined || before.version <= known.version) this.#revisions.set(revision, known);
  }

  revision(name: string): Known | undefined {
    return this.#revisions.get(name);
  }

  get current(): Known | undefined {
    return [...this.#revisions.values()].reduce<Known | undefined>(
      (last, one) => (last === undefined || one.version > last.version ? one : last),
      undefined,
    );
  }

  /** Hours at which it was; nobody may see it there. */
  beside(hour: number): number[] {
    return [...this.#hours].filter((other) => other !== hour);
  }

  /** Whether somebody else wrote of it since. */
  differsFrom(before: Placed): boolean {
    return (
      [...this.#hours].some((hour) => !before.#hours.has(hour)) ||
      [...this.#revisions].some(([name, { version }]) => before.revision(name)?.version !== version)
    );
  }
}

type Places = Map<string, Placed>;

/**
 * A batch that is sent again is written again, unless it is known that all that follows from it was written: that is noted
 * last. What is written again replaces itself.
 */
export async function appendSessions(connection: Connection, rows: readonly SessionRow[]): Promise<Appended> {
  for (const { sessionKey } of rows) checkKey('session', sessionKey);
  const places = await placesOf(connection, [...new Set(rows.map(({ sessionKey }) => sessionKey))]);
  const written: (readonly [SessionRow, readonly RowValues[]])[] = [];
  let added = 0;
  for (const row of rows) {
    const place = placeIn(places, row.sessionKey);
    if (place.revision(row.revision) === undefined) added += 1;
    const values = rowsFor(row, place);
    if (values.length > 0) written.push([row, values]);
  }
  for (let i = 0; i < written.length; i += ROWS_AT_ONCE) {
    const batch = written.slice(i, i + ROWS_AT_ONCE);
    await insertRows(
      connection,
      batch.flatMap(([, values]) => values),
    );
    await settle(
      connection,
      places,
      batch.map(([row]) => row),
    );
  }
  return { added, known: rows.length - added };
}

function insertRows(connection: Connection, rows: readonly RowValues[]): Promise<void> {
  return connection.insert('session', ROW_COLUMNS, rows);
}

function placeIn(places: Places, key: string): Placed {
  const place = places.get(key) ?? new Placed();
  places.set(key, place);
  return place;
}

/** What has to be written of a session, given where it lies. */
function rowsFor(row: SessionRow, place: Placed): RowValues[] {
  const [version, hour] = [versionOf(row), hourOf(row.startedAt)];
  const known = place.revision(row.revision);
  if (known?.isDone && known.version >= version) return [];
  const before = place.current;
  place.note(row.revision, { hour, version, isDone: true });
  // At two hours only one of them may be seen.
  if (before !== undefined && before.version > version) return [rowOf(row, before.hour === hour ? 0 : 1)];
  return [rowOf(row, 0), ...place.beside(hour).map((other) => tombstone(row.sessionKey, other, version))];
}

/** Somebody else may have written the same session at another hour meanwhile. One of the two sees both. */
async function settle(connection: Connection, places: Places, rows: readonly SessionRow[]): Promise<void> {
  const found = await placesOf(connection, [...new Set(rows.map(({ sessionKey }) => sessionKey))]);
  const traces = [...found].flatMap(([key, place]) => {
    const { current } = place;
    if (current === undefined || !place.differsFrom(placeIn(places, key))) return [];
    return place.beside(current.hour).map((hour) => tombstone(key, hour, current.version));
  });
  await insertRows(connection, traces);
  await connection.insert(
    'session_place',
    ['session_key', 'revision', 'scored_at', 'hour', 'is_done'],
    rows.map((row) => [row.sessionKey, row.revision, Date.parse(row.scoredAt), hourOf(row.startedAt), 1]),
  );
}

async function placesOf(connection: Connection, keys: readonly string[]): Promise<Places> {
  const places: Places = new Map();
  for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) {
    const sql = `SELECT session_key, revision, scored_at, hour, is_done FROM session_place FINAL
      WHERE session_key IN {keys:Array(String)}`;
    const rows = await connection.all(sql, { keys: keys.slice(i, i + KEYS_AT_ONCE) });
    for (const [key, name, scoredAt, hour, isDone] of rows) {
      const revision = String(name);
      const version = versionOf({ scoredAt: new Date(Number(scoredAt)).toISOString(), revision });
      placeIn(places, String(key)).note(revision, { hour: Number(hour), version, isDone: isDone === 1 });
    }
  }
  return places;
}

export async function readSession(
  connection: Connection,
  sessionKey: string,
): Promise<SessionRow | undefined> {
  const sql = `SELECT ${WHOLE} FROM session FINAL
    PREWHERE hour IN (SELECT hour FROM session_place WHERE session_key = {key:String}) AND session_key = {key:String}
    LIMIT 1`;
  const [row] = await connection.all(sql, { key: sessionKey });
  return row && sessionOf(connection, row);
}

/** Those that are there, in no order. */
export async function readSessionsOf(connection: Connection, keys: readonly string[]): Promise<SessionRow[]> {
  const sql = `SELECT ${WHOLE} FROM session FINAL
    PREWHERE (hour, session_key) IN (SELECT hour, session_key FROM session_place WHERE session_key IN {keys:Array(String)})`;
  return (await connection.all(sql, { keys })).map((row) => sessionOf(connection, row));
}

export async function listSessions(connection: Connection, query: SessionQuery): Promise<SessionSummary[]> {
  return (await readPage(connection, SUMMARY, query)).map((row) => summaryOf(connection, row));
}

export async function* iterateSessions(
  connection: Connection,
  query: SessionQuery,
): AsyncGenerator<SessionRow> {
  for await (const row of rowsInOrder(connection, query)) {
    try {
      yield sessionOf(connection, row);
    } catch (error) {
      if (query.onDamage === undefined || !(error instanceof AssayError)) throw error;
      query.onDamage(error);
    }
  }
}

async function* rowsInOrder(connection: Connection, query: SessionQuery): AsyncGenerator<RowValues> {
  if (query.limit !== undefined) return yield* await readPage(connection, WHOLE, query);
  const selected = await fromSessions(connection, query);
  yield* connection.iterate(allOf(selected, WHOLE, query), selected.values);
}

export async function countSessions(
  connection: Connection,
  days: RolledDays,
  { limit: _, ...query }: SessionQuery,
): Promise<number> {
  const summed = asSummed(query);
  if (summed !== undefined)
    return (await sessionRollup(connection, days, summed)).reduce((sum, { sessions }) => sum + sessions, 0);
  const selected = await fromSessions(connection, query);
  const [row] = await connection.all(allOf(selected, COUNT, query), selected.values);
  return Number(row?.[0]);
}

/** What is left to be told by rows alone; undefined where something is. */
function asSummed(query: SessionQuery): RollupQuery | undefined {
  const { tier, qFrom, qBelow, coverageFrom, sessionId, parentSessionId, search, after, ...summed } = query;
  const { order = 'oldest', withSkippedLines = false, onDamage: _, ...narrowed } = summed;
  const told = [tier, qFrom, qBelow, coverageFrom, sessionId, parentSessionId, search, after];
  const isOfRows = withSkippedLines || (order !== 'oldest' && order !== 'newest');
  return isOfRows || told.some((one) => one !== undefined) ? undefined : narrowed;
}
