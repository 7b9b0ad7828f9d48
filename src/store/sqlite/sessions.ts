import { isAbsolute } from 'node:path';
import { AssayError } from '../../errors.ts';
import { sessionKey } from '../../session/session-key.ts';
import { isPlainObject } from '../canonical.ts';
import type { RollupQuery } from '../rollup.ts';
import type { SessionRow } from '../session-row.ts';
import type { Appended, SessionQuery, SessionRevision, SessionSummary } from '../store.ts';
import type { Connection } from './connection.ts';
import { CellChanges, deriveSessions } from './session-cells.ts';
import { NameNumbers } from './session-names.ts';
import { countSelected, selectSessions } from './session-select.ts';
import {
  damagedSession,
  FACTS_COLUMNS,
  hasNames,
  insertSession,
  isWholeFacts,
  readStored,
  revisionOf,
  STORED_COLUMNS,
  type StoredSession,
  scoredAtOf,
  sessionOf,
  setState,
  summaryOf,
} from './stored-session.ts';

const FIND = `SELECT ${STORED_COLUMNS} FROM session`;
const FIND_CURRENT = `${FIND} WHERE session_key = ? AND current = 1`;
/** Whatever happened to it: of a session that is there some revision must be current. */
const FIND_HIDDEN = `${FIND} AS hidden WHERE current <> 1 AND NOT EXISTS (SELECT 1 FROM session AS shown WHERE shown.session_key = hidden.session_key AND shown.current = 1)`;
const FIND_EVERY = `${FIND} WHERE session_key = ?`;

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
  readonly #numbers: NameNumbers;
  #hasReplaced = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#numbers = new NameNumbers(connection);
  }

  append(row: SessionRow): number {
    const stored = this.#find(row.sessionKey);
    const current = stored.find((one) => one.current === 1);
    const known = stored.find((one) => revisionOf(one) === row.revision);
    if (current === undefined) {
      if (adoptsByPath(this.#connection, row)) return this.append(row);
      this.#changes.add(row, 1);
      if (known === undefined) return this.#insert(row, 1);
      // A known revision of a session that has lost its current one.
      setState(this.#connection, known, { scoredAt: row.scoredAt, current: 1 });
      return 0;
    }
    if (known !== undefined) this.#scoredAgain(known, row);
    if (known === current) return 0;
    const later = isLater(row, current);
    const added = known === undefined ? this.#insert(row, later ? 1 : 0) : 0;
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
  #find(sessionKey: string): StoredSession[] {
    const rows = this.#connection.all(FIND_EVERY, [sessionKey]);
    return rows.map(readStored).filter((stored) => {
      if (stored.isWhole && hasNames(this.#connection, stored)) return true;
      this.#remove(stored);
      return false;
    });
  }

  #insert(row: SessionRow, current: 0 | 1): number {
    return insertSession(this.#connection, this.#numbers, row, { current });
  }

  #remove({ rowid }: StoredSession): void {
    this.#connection.run('DELETE FROM session WHERE id = ?', [rowid]);
    this.#hasReplaced = true;
  }

  /** The later time wins whichever arrived first, so that the order of arrival never shows. */
  #scoredAgain(stored: StoredSession, row: SessionRow): void {
    const facts = this.#connection.get(`SELECT ${FACTS_COLUMNS} FROM session WHERE id = ?`, [stored.rowid]);
    if (facts === undefined || !isWholeFacts(facts)) {
      this.#remove(stored);
      this.#insert(row, stored.current === 1 ? 1 : 0);
    } else if (scoredAtOf(stored) < row.scoredAt) {
      setState(this.#connection, stored, { scoredAt: row.scoredAt });
    }
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
  for (const one of connection.all(FIND_EVERY, [former]))
    setState(connection, readStored(one), { sessionKey: row.sessionKey });
  return true;
}

function pathOf({ facts }: SessionRow): string | undefined {
  const { file } = (isPlainObject(facts) ? facts : {}) as { readonly file?: unknown };
  return isPlainObject(file) && typeof file.path === 'string' ? file.path : undefined;
}

const FIND_WHOLE = `SELECT ${STORED_COLUMNS}, ${FACTS_COLUMNS} FROM session WHERE session_key = ? AND current = 1`;

export function holdsSessions(
  connection: Connection,
  revisions: readonly SessionRevision[],
  scoredSince: string,
): boolean {
  return revisions.every(([sessionKey, revision]) => {
    const row = connection.get(FIND_WHOLE, [sessionKey]);
    const stored = row && readStored(row);
    return (
      stored?.isWhole === true &&
      revisionOf(stored) === revision &&
      scoredAtOf(stored) >= scoredSince &&
      hasNames(connection, stored) &&
      isWholeFacts(row?.slice(-2) ?? [])
    );
  });
}

export function readSession(connection: Connection, sessionKey: string): SessionRow | undefined {
  const row = connection.get(FIND_WHOLE, [sessionKey]);
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
  const { sql, values } = selectSessions(connection, `${STORED_COLUMNS}, ${FACTS_COLUMNS}`, query);
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
  // A page does not say that it is all there is; looking takes as long as there are former revisions.
  const [hidden] = query.limit === undefined ? hiddenIn(connection) : [];
  if (hidden !== undefined) throw hidden;
  const { sql, values } = selectSessions(connection, STORED_COLUMNS, query);
  return connection.all(sql, values).map((row) => summaryOf(connection, readStored(row)));
}

/** What sums are kept by; whoever asks for nothing else need not have the sessions counted. */
const SUMMED_BY: ReadonlySet<string> = new Set([
  'since',
  'until',
  'source',
  'agent',
  'model',
  'taskType',
  'project',
  'projectNamed',
  'inProjects',
  'agentOrSource',
  'modelPart',
] satisfies (keyof RollupQuery)[]);

/** Undefined: kept sums do not tell. */
export function summedBy({ limit: _, ...query }: SessionQuery): RollupQuery | undefined {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined);
  return asked.every(([name]) => SUMMED_BY.has(name))
    ? (Object.fromEntries(asked) as RollupQuery)
    : undefined;
}

export function countSessions(connection: Connection, { limit: _, ...query }: SessionQuery): number {
  const { sql, values } = countSelected(connection, query);
  return Number(connection.get(sql, values)?.[0]);
}

/** Sessions deleted in one transaction: other processes get their turn in between. */
const PRUNED_AT_ONCE = 2000;

/** By their start, or where it is unknown by when they were scored. */
export const OLDER_SESSIONS = 'current = 1 AND (started_at < ?1 OR (started_at IS NULL AND scored_at < ?1))';

/** One step of a pruning, inside a transaction: how many sessions went. */
export function pruneSessions(connection: Connection, before: string): number {
  const old = connection.all(`${FIND} WHERE ${OLDER_SESSIONS} LIMIT ${PRUNED_AT_ONCE}`, [Date.parse(before)]);
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
  connection.exec(`
    DELETE FROM session_link WHERE session NOT IN (SELECT id FROM session);
    DELETE FROM session_group WHERE id NOT IN (SELECT cell_group FROM session_cell);
    DELETE FROM session_name WHERE id NOT IN (
      SELECT label FROM session UNION SELECT project FROM session WHERE project IS NOT NULL
    );
  `);
}
