import { SESSION_FIELDS } from '../fields.ts';
import { checkSince } from '../query.ts';
import type { SessionRow } from '../session-row.ts';
import type { Appended, SessionQuery } from '../store.ts';
import type { Connection, SqlRow } from './connection.ts';
import { defineTable, fromRow, insertInto, toValues, Where } from './table.ts';

const SESSIONS = defineTable('session', SESSION_FIELDS);

const INSERT = insertInto(SESSIONS, [], 'session_id, revision');

// The later time wins whichever arrived first, so that the order of arrival never shows.
const SCORED_AGAIN =
  'UPDATE session SET scored_at = ? WHERE session_id = ? AND revision = ? AND scored_at < ?';

/** Inside a transaction. */
export function appendSessions(connection: Connection, rows: readonly SessionRow[]): Appended {
  let added = 0;
  for (const row of rows) {
    const { changes } = connection.run(INSERT, toValues(SESSIONS, row));
    added += changes;
    if (changes === 0)
      connection.run(SCORED_AGAIN, [row.scoredAt, row.sessionId, row.revision, row.scoredAt]);
  }
  return { added, known: rows.length - added };
}

export function readSession(connection: Connection, sessionId: string): SessionRow | undefined {
  const sql = `SELECT ${SESSIONS.columns} FROM session WHERE session_id = ? ORDER BY scored_at DESC, revision DESC LIMIT 1`;
  const row = connection.get(sql, [sessionId]);
  return row && toSession(connection, row);
}

/** One row at a time, straight from the index: nothing is sorted and nothing is held. */
export function* iterateSessions(connection: Connection, query: SessionQuery): Generator<SessionRow> {
  const where = new Where()
    .and('started_at >= ?', checkSince(query.since))
    .and('source = ?', query.source)
    .and('agent = ?', query.agent)
    .and('model = ?', query.model)
    .and('task_type = ?', query.taskType);
  const sql = `
    SELECT ${SESSIONS.columns} FROM session AS current${where.sql || ' WHERE true'} AND NOT EXISTS (
      SELECT 1 FROM session AS later WHERE later.session_id = current.session_id
        AND (later.scored_at, later.revision) > (current.scored_at, current.revision)
    ) ORDER BY started_at, session_id`;
  for (const row of connection.iterate(sql, where.values)) yield toSession(connection, row);
}

function toSession(connection: Connection, row: SqlRow): SessionRow {
  return fromRow<SessionRow>(connection, SESSIONS, row);
}
