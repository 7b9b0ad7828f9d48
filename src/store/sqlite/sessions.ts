import { isAbsolute } from 'node:path';
import { AssayError } from '../../errors.ts';
import { sessionKey } from '../../session/session-key.ts';
import { finite, isPlainObject } from '../canonical.ts';
import { checkLimit, checkPeriod, checkSessionPosition } from '../query.ts';
import type { SessionRow } from '../session-row.ts';
import type { Appended, SessionOrder, SessionPosition, SessionQuery, SessionSummary } from '../store.ts';
import type { Connection } from './connection.ts';
import { CellChanges, deriveSessions } from './session-cells.ts';
import {
  damagedSession,
  FACTS_COLUMNS,
  insertSession,
  readStored,
  revisionOf,
  STORED_COLUMNS,
  type StoredSession,
  scoredAtOf,
  sessionOf,
  setState,
  summaryOf,
  wholeFacts,
} from './stored-session.ts';
import { Where } from './table.ts';

const FIND = `SELECT ${STORED_COLUMNS} FROM session`;
const FIND_CURRENT = `${FIND} WHERE session_key = ? AND current = 1`;
/** Whatever happened to it: of a session that is there some revision must be current. */
const FIND_HIDDEN = `${FIND} AS hidden WHERE current <> 1 AND NOT EXISTS (SELECT 1 FROM session AS shown WHERE shown.session_key = hidden.session_key AND shown.current = 1)`;
const FIND_ONE = `${FIND} WHERE session_key = ? AND revision = ?`;

/** Inside a transaction. Of every session that is there, exactly one revision is current: the one scored last. */
export function appendSessions(connection: Connection, rows: readonly SessionRow[]): Appended {
  const batch = new Batch(connection);
  let added = 0;
  for (const row of rows) added += batch.append(row);
  batch.finish();
  return { added, known: rows.length - added };
}

class Batch {
  readonly #connection: Connection;
  readonly #changes = new CellChanges();
  #hasReplaced = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  append(row: SessionRow): number {
    const current = this.#find(FIND_CURRENT, [row.sessionKey]);
    if (current === undefined && adoptsByPath(this.#connection, row)) return this.append(row);
    if (current === undefined) {
      this.#changes.add(row, 1);
      return this.#unhide(row) ? 0 : insertSession(this.#connection, row, 1);
    }
    if (revisionOf(current) === row.revision) return this.#scoredAgain(current, row);
    const known = this.#find(FIND_ONE, [row.sessionKey, row.revision]);
    if (known !== undefined) this.#scoredAgain(known, row);
    const later = isLater(row, current);
    const added = known === undefined ? insertSession(this.#connection, row, later ? 1 : 0) : 0;
    if (!later) return added;
    this.#changes.add(summaryOf(this.#connection, current), -1);
    setState(this.#connection, current, { current: 0 });
    if (known !== undefined) setState(this.#connection, known, { scoredAt: row.scoredAt, current: 1 });
    // The same revision is the same content.
    this.#changes.add(row, 1);
    return added;
  }

  /** What cannot be told from what is there after damage is worked out anew. */
  finish(): void {
    try {
      if (this.#hasReplaced) deriveSessions(this.#connection);
      else this.#changes.write(this.#connection);
    } catch (error) {
      if (!(error instanceof AssayError && error.code === 'STORE_CORRUPT')) throw error;
      deriveSessions(this.#connection);
    }
  }

  /** A damaged row is as good as none: what is being stored replaces it. */
  #find(sql: string, values: readonly string[]): StoredSession | undefined {
    const row = this.#connection.get(sql, values);
    const stored = row && readStored(row);
    if (stored === undefined || stored.isWhole) return stored;
    this.#remove(stored);
    return undefined;
  }

  /** A known revision of a session that has lost its current one. */
  #unhide(row: SessionRow): boolean {
    const known = this.#find(FIND_ONE, [row.sessionKey, row.revision]);
    if (known === undefined) return false;
    setState(this.#connection, known, { scoredAt: row.scoredAt, current: 1 });
    return true;
  }

  #remove({ rowid }: StoredSession): void {
    this.#connection.run('DELETE FROM session WHERE rowid = ?', [rowid]);
    this.#hasReplaced = true;
  }

  /** The later time wins whichever arrived first, so that the order of arrival never shows. */
  #scoredAgain(stored: StoredSession, row: SessionRow): 0 {
    const facts = this.#connection.get(`SELECT ${FACTS_COLUMNS} FROM session WHERE rowid = ?`, [
      stored.rowid,
    ]);
    if (facts === undefined || wholeFacts(facts) === undefined) {
      this.#remove(stored);
      insertSession(this.#connection, row, 1);
    } else if (scoredAtOf(stored) < row.scoredAt) {
      setState(this.#connection, stored, { scoredAt: row.scoredAt });
    }
    return 0;
  }
}

/** The current revision is the one scored last, of equals the one with the greater name in bytes. */
function isLater({ scoredAt, revision }: SessionRow, current: StoredSession): boolean {
  const before = scoredAtOf(current);
  if (before !== scoredAt) return before < scoredAt;
  return Buffer.compare(Buffer.from(revisionOf(current)), Buffer.from(revision)) < 0;
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
  const found = former === row.sessionKey ? undefined : connection.get(FIND_CURRENT, [former]);
  const current = found && readStored(found);
  if (current === undefined || !current.isWhole) return false;
  if (!isAbsolute(path) && summaryOf(connection, current).startedAt !== row.startedAt) return false;
  for (const one of connection.all(`${FIND} WHERE session_key = ?`, [former]))
    setState(connection, readStored(one), { sessionKey: row.sessionKey });
  return true;
}

function pathOf({ facts }: SessionRow): string | undefined {
  const { file } = (isPlainObject(facts) ? facts : {}) as { readonly file?: unknown };
  return isPlainObject(file) && typeof file.path === 'string' ? file.path : undefined;
}

export function readSession(connection: Connection, sessionKey: string): SessionRow | undefined {
  const sql = `SELECT ${STORED_COLUMNS}, ${FACTS_COLUMNS} FROM session WHERE session_key = ? AND current = 1`;
  const row = connection.get(sql, [sessionKey]);
  if (row !== undefined) return sessionOf(connection, row);
  const hidden = connection.get(`${FIND} WHERE current <> 1 AND session_key = ?`, [sessionKey]);
  if (hidden !== undefined) throw damagedSession(connection, readStored(hidden).values);
  return undefined;
}

/** Damage of what says that a session is shown must not pass for its absence. */
function hiddenIn(connection: Connection): AssayError[] {
  const hidden = connection.all(FIND_HIDDEN).map((row) => readStored(row).values);
  return hidden.map((values) => damagedSession(connection, values));
}

/** One row at a time, straight from the index: nothing is sorted and nothing is held. */
export function* iterateSessions(connection: Connection, query: SessionQuery): Generator<SessionRow> {
  for (const error of hiddenIn(connection)) {
    if (query.onDamage === undefined) throw error;
    query.onDamage(error);
  }
  const { sql, values } = selectSessions(`${STORED_COLUMNS}, ${FACTS_COLUMNS}`, query);
  for (const row of connection.iterate(sql, values)) {
    try {
      yield sessionOf(connection, row);
    } catch (error) {
      if (query.onDamage === undefined || !(error instanceof AssayError)) throw error;
      query.onDamage(error);
    }
  }
}

export function listSessions(connection: Connection, query: SessionQuery): SessionSummary[] {
  const [hidden] = hiddenIn(connection);
  if (hidden !== undefined) throw hidden;
  const { sql, values } = selectSessions(STORED_COLUMNS, query);
  return connection.all(sql, values).map((row) => summaryOf(connection, readStored(row)));
}

export function countSessions(connection: Connection, { limit: _, ...query }: SessionQuery): number {
  const { sql, values } = selectSessions('count(*)', query);
  return Number(connection.get(sql, values)?.[0]);
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
    .when(query.withSkippedLines === true, 'skipped_lines > 0')
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
    `${FIND} WHERE current = 1 AND (started_at < ?1 OR (started_at IS NULL AND scored_at < ?1)) LIMIT ${PRUNED_AT_ONCE}`,
    [before],
  );
  const changes = new CellChanges();
  for (const row of old) {
    const { sessionKey, ...summary } = summaryOf(connection, readStored(row));
    changes.add(summary, -1);
    connection.run('DELETE FROM session WHERE session_key = ?', [sessionKey]);
  }
  changes.write(connection);
  return old.length;
}

/** What sessions had in common is about them too. Inside a transaction. */
export function forgetUnusedGroups(connection: Connection): void {
  connection.exec('DELETE FROM session_group WHERE id NOT IN (SELECT cell_group FROM session_cell)');
}
