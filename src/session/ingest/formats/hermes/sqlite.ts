/** The database of the Hermes Agent. Compressing a session ends it; what follows is a session with it as its parent. */
import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../json/json-fields.ts';
import {
  databaseSessions,
  isDatabaseWith,
  MAX_ROW_BYTES,
  type RowProblem,
  rowsOf,
  selected,
} from '../database-sessions.ts';
import type { StoreSession } from '../format.ts';

export function isHermesStore(path: string): boolean {
  return isDatabaseWith(path, {
    sessions: ['id', 'source', 'started_at'],
    messages: ['id', 'session_id', 'role', 'content', 'tool_calls', 'tool_call_id'],
  });
}

const SESSION = `id source model model_config parent_session_id input_tokens output_tokens cache_read_tokens
  cache_write_tokens estimated_cost_usd actual_cost_usd started_at end_reason cwd`.split(/\s+/);
const ASKED = { messages: ['session_id'] };
const MESSAGE = ['role', 'tool_calls', 'tool_call_id', 'timestamp', 'finish_reason'];

export function hermesSessions(path: string, problem: RowProblem): Iterable<StoreSession> {
  return databaseSessions(path, problem, ASKED, (store) => {
    const columns = selected(store, 'sessions', SESSION);
    const rows = rowsOf(
      store,
      `SELECT ${columns} FROM sessions WHERE typeof(id) = 'text' ORDER BY started_at, id`,
    );
    return rows.map((row) => ({ id: String(row.id), records: recordsOf(store, row) }));
  });
}

function* recordsOf(store: DatabaseSync, row: JsonObject): Generator<JsonObject> {
  yield { ...row, role: 'session_meta' };
  const wanted = selected(store, 'messages', MESSAGE);
  const sql = `SELECT ${wanted}, CASE WHEN octet_length(content) <= ? THEN content END AS content FROM messages
    WHERE session_id = ? ORDER BY timestamp, id`;
  yield* rowsOf(store, sql, [MAX_ROW_BYTES, String(row.id)]);
}
