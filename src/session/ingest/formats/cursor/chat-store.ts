/** A session of the CLI is a database of its own: what is known of it in `meta`, everything else as blobs. */
import type { DatabaseSync } from 'node:sqlite';
import { asObject, asText, type JsonObject, parsed } from '../../json/json-fields.ts';
import {
  databaseSessions,
  isDatabaseWith,
  MAX_ROW_BYTES,
  type RowProblem,
  rowsOf,
} from '../database-sessions.ts';
import type { StoreSession } from '../format.ts';

export function isChatStore(path: string): boolean {
  return isDatabaseWith(path, { blobs: ['id', 'data'], meta: ['key', 'value'] });
}

export function chatSessions(path: string, problem: RowProblem): Iterable<StoreSession> {
  return databaseSessions(path, problem, {}, (store) => {
    const about = aboutChat(store);
    const id = asText(about.agentId);
    return id === undefined ? [] : [{ id, records: recordsOf(store, about) }];
  });
}

/** JSON in hexadecimal digits. */
function aboutChat(store: DatabaseSync): JsonObject {
  const value = rowsOf(store, "SELECT value FROM meta WHERE key = '0'")[0]?.value;
  const text = typeof value === 'string' ? value : '';
  const json = /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex').toString('utf8') : text;
  return asObject(parsed(json)) ?? {};
}

function* recordsOf(store: DatabaseSync, about: JsonObject): Generator<JsonObject> {
  yield { chat: about };
  const sql =
    "SELECT CASE WHEN octet_length(data) <= ? THEN data END AS data FROM blobs WHERE substr(data, 1, 1) IN (?, '{') ORDER BY rowid";
  for (const { data } of rowsOf(store, sql, [MAX_ROW_BYTES, Buffer.from('{')])) {
    const text = data instanceof Uint8Array ? Buffer.from(data).toString('utf8') : data;
    const message = asObject(parsed(text));
    // The others hold the state of the program.
    if (asText(message?.role) !== undefined) yield { message };
  }
}
