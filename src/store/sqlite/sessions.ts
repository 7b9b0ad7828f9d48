import { isAbsolute } from 'node:path';
import { sessionKey } from '../../session/session-key.ts';
import { finite, isPlainObject } from '../canonical.ts';
import { SESSION_FIELDS } from '../fields.ts';
import { checkLimit, checkPeriod, checkSessionPosition } from '../query.ts';
import { SUMMED } from '../rollup.ts';
import type { SessionRow } from '../session-row.ts';
import type { Appended, SessionOrder, SessionPosition, SessionQuery, SessionSummary } from '../store.ts';
import type { Connection } from './connection.ts';
import { CellChanges, SUMMED_COLUMNS, summedOf } from './session-cells.ts';
import { damaged, defineTable, fromRow, insertInto, toValues, Where } from './table.ts';

const SESSIONS = defineTable('session', SESSION_FIELDS);
const SUMMARIES = defineTable(
  'session',
  SESSION_FIELDS.filter(({ name }) => name !== 'facts'),
);

const INSERT = insertInto(SESSIONS, ['current'], 'session_key, revision');
const ONE = 'WHERE session_key = ? AND revision = ?';
const SET_CURRENT = `UPDATE session SET current = ? ${ONE}`;
const FIND_CURRENT = `SELECT ${SUMMED_COLUMNS}, revision, scored_at, (scored_at, revision) < (?, ?)
  FROM session WHERE session_key = ? AND current = 1`;
const FIND_ONE = `SELECT ${SUMMED_COLUMNS} FROM session ${ONE}`;

// The later time wins whichever arrived first, so that the order of arrival never shows.
const SCORED_AGAIN = `UPDATE session SET scored_at = ? ${ONE} AND scored_at < ?`;

const START_OF_CURRENT = 'SELECT started_at FROM session WHERE session_key = ? AND current = 1';
const ADOPT = 'UPDATE session SET session_key = ? WHERE session_key = ?';

/** Inside a transaction. Of every session that is there, exactly one revision is current: the one scored last. */
export function appendSessions(connection: Connection, rows: readonly SessionRow[]): Appended {
  const changes = new CellChanges();
  let added = 0;
  for (const row of rows) added += appendSession(connection, changes, row);
  changes.write(connection);
  return { added, known: rows.length - added };
}

function appendSession(connection: Connection, changes: CellChanges, row: SessionRow): number {
  const { sessionKey, revision, scoredAt } = row;
  const current = connection.get(FIND_CURRENT, [scoredAt, revision, sessionKey]);
  if (current === undefined && adoptsByPath(connection, row)) return appendSession(connection, changes, row);
  if (current === undefined) {
    changes.add(row, 1);
    return connection.run(INSERT, [1, ...toValues(SESSIONS, row)]).changes;
  }
  const [known, , isLater] = current.slice(SUMMED.length);
  if (known === revision) return scoredAgain(connection, row);
  const added = connection.run(INSERT, [0, ...toValues(SESSIONS, row)]).changes;
  if (added === 0) scoredAgain(connection, row);
  if (isLater !== 1) return added;
  changes.add(summedOf(current), -1);
  connection.run(SET_CURRENT, [0, sessionKey, String(known)]);
  connection.run(SET_CURRENT, [1, sessionKey, revision]);
  const stored = connection.get(FIND_ONE, [sessionKey, revision]);
  if (stored === undefined) throw damaged(connection, 'session', 'revision');
  changes.add(summedOf(stored), 1);
  return added;
}

/**
 * Rows from before sessions had keys, and of transcripts that had no entry yet, are keyed by the path of their file.
 * They become revisions of the session that is now read from that path under their id; where the path was a relative
 * one, only if it began at the same time.
 */
function adoptsByPath(connection: Connection, row: SessionRow): boolean {
  const path = pathOf(row);
  if (path === undefined) return false;
  const former = sessionKey(row.source, path, row.sessionId);
  const current = former === row.sessionKey ? undefined : connection.get(START_OF_CURRENT, [former]);
  if (current === undefined || !(isAbsolute(path) || current[0] === row.startedAt)) return false;
  return connection.run(ADOPT, [row.sessionKey, former]).changes > 0;
}

function pathOf({ facts }: SessionRow): string | undefined {
  const { file } = (isPlainObject(facts) ? facts : {}) as { readonly file?: unknown };
  return isPlainObject(file) && typeof file.path === 'string' ? file.path : undefined;
}

function scoredAgain(connection: Connection, { sessionKey, revision, scoredAt }: SessionRow): 0 {
  connection.run(SCORED_AGAIN, [scoredAt, sessionKey, revision, scoredAt]);
  return 0;
}

export function readSession(connection: Connection, sessionKey: string): SessionRow | undefined {
  const sql = `SELECT ${SESSIONS.columns} FROM session WHERE session_key = ? AND current = 1`;
  const row = connection.get(sql, [sessionKey]);
  return row && fromRow<SessionRow>(connection, SESSIONS, row);
}

/** One row at a time, straight from the index: nothing is sorted and nothing is held. */
export function* iterateSessions(connection: Connection, query: SessionQuery): Generator<SessionRow> {
  const { sql, values } = selectSessions(SESSIONS.columns, query);
  for (const row of connection.iterate(sql, values)) yield fromRow<SessionRow>(connection, SESSIONS, row);
}

export function listSessions(connection: Connection, query: SessionQuery): SessionSummary[] {
  const { sql, values } = selectSessions(SUMMARIES.columns, query);
  return connection.all(sql, values).map((row) => fromRow<SessionSummary>(connection, SUMMARIES, row));
}

const ORDERS: Readonly<Record<SessionOrder, string>> = {
  oldest: 'started_at, session_key',
  newest: 'started_at DESC, session_key DESC',
  'lowest Q': 'q, session_key',
};

function selectSessions(columns: string, query: SessionQuery) {
  const { order = 'oldest', qFrom, qBelow } = query;
  const { since, until } = checkPeriod(query);
  const where = new Where()
    .when(true, 'current = 1')
    .when(order === 'lowest Q', 'q IS NOT NULL')
    .and('started_at >= ?', since)
    .and('started_at < ?', until)
    .and('source = ?', query.source)
    .and('agent = ?', query.agent)
    .and('model = ?', query.model)
    .and('task_type = ?', query.taskType)
    .and('project = ?', query.project)
    .and('tier = ?', query.tier)
    .and('q >= ?', qFrom === undefined ? undefined : finite(qFrom, 'qFrom'))
    .and('q < ?', qBelow === undefined ? undefined : finite(qBelow, 'qBelow'));
  if (query.after !== undefined) goOnAfter(where, order, checkSessionPosition(query.after));
  const sql = `SELECT ${columns} FROM session${where.sql} ORDER BY ${ORDERS[order]} LIMIT ?`;
  return { sql, values: [...where.values, checkLimit(query.limit) ?? -1] };
}

/** NULL is before every start, and compares with none: both sides of it are said apart. */
function goOnAfter(where: Where, order: SessionOrder, { startedAt, q, sessionKey }: SessionPosition): void {
  if (order === 'lowest Q') where.andAll('(q, session_key) > (?, ?)', [q ?? -Number.MAX_VALUE, sessionKey]);
  else if (order === 'oldest' && startedAt === undefined)
    where.andAll('(started_at IS NOT NULL OR session_key > ?)', [sessionKey]);
  else if (order === 'oldest')
    where.andAll('(started_at, session_key) > (?, ?)', [startedAt ?? '', sessionKey]);
  else if (startedAt === undefined) where.andAll('(started_at IS NULL AND session_key < ?)', [sessionKey]);
  else where.andAll('(started_at IS NULL OR (started_at, session_key) < (?, ?))', [startedAt, sessionKey]);
}

/** Sessions deleted in one transaction: other processes get their turn in between. */
const PRUNED_AT_ONCE = 2000;

/** One step of a pruning, inside a transaction: how many sessions went. */
export function pruneSessions(connection: Connection, before: string): number {
  const old = connection.all(
    `SELECT ${SUMMED_COLUMNS}, session_key FROM session
     WHERE current = 1 AND (started_at < ?1 OR (started_at IS NULL AND scored_at < ?1)) LIMIT ${PRUNED_AT_ONCE}`,
    [before],
  );
  const changes = new CellChanges();
  for (const row of old) {
    changes.add(summedOf(row), -1);
    connection.run('DELETE FROM session WHERE session_key = ?', [String(row.at(-1))]);
  }
  changes.write(connection);
  return old.length;
}

/** What sessions had in common is about them too. Inside a transaction. */
export function forgetUnusedGroups(connection: Connection): void {
  connection.exec('DELETE FROM session_group WHERE id NOT IN (SELECT cell_group FROM session_cell)');
}
