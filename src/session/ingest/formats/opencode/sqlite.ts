/**
 * The database of current OpenCode versions. A row is a former file without its ids, which are columns. Columns differ
 * between versions; missing ones are skipped. Tables of the second engine (`session_message`) were emptied by a
 * migration and are not read.
 */
import type { DatabaseSync } from 'node:sqlite';
import { columnsOf } from '../../files/open-database.ts';
import { asObject, asText, type JsonObject, parsed } from '../../json/json-fields.ts';
import { databaseSessions, MAX_ROW_BYTES, type RowProblem, rowsOf } from '../database-sessions.ts';
import type { StoreSession } from '../format.ts';
import { revertOf } from './adapter.ts';

export function openOpencodeSessions(path: string, problem: RowProblem): Iterable<StoreSession> {
  // Messages that were read: a fork repeats those of its origin under other ids.
  const seen = new Set<string>();
  const asked = { message: ['session_id', 'id'], part: ['message_id'] };
  return databaseSessions(path, problem, asked, (store) =>
    sessionsIn(store).map((info) => ({
      id: String(info.id),
      records: recordsOf(store, info, seen, problem),
    })),
  );
}

/** Columns and the fields that they are in files. */
const WANTED: readonly (readonly [column: string, field: string])[] = [
  ['id', 'id'],
  ['parent_id', 'parentID'],
  ['directory', 'directory'],
  ['title', 'title'],
  ['version', 'version'],
  ['model', 'model'],
  ['revert', 'revert'],
];

/** The origin of a fork comes before it. */
function sessionsIn(store: DatabaseSync): JsonObject[] {
  const columns = columnsOf(store, 'session');
  const names = WANTED.filter(([column]) => columns.has(column));
  const order = columns.has('time_created') ? 'time_created, id' : 'id';
  const sql = `SELECT ${names.map(([column]) => column).join(', ')} FROM session WHERE typeof(id) = 'text' ORDER BY ${order}`;
  return rowsOf(store, sql).map((row) => ({
    ...Object.fromEntries(names.map(([column, field]) => [field, parsed(row[column])])),
    id: row.id,
    title: asText(row.title) ?? '-',
    version: asText(row.version) ?? '-',
    time: {},
  }));
}

function* recordsOf(
  store: DatabaseSync,
  info: JsonObject,
  seen: Set<string>,
  problem: RowProblem,
): Generator<JsonObject> {
  const isFork = /\(fork #\d+\)\s*$/.test(String(info.title));
  yield { info };
  const order = columnsOf(store, 'message').has('time_created') ? 'time_created, id' : 'id';
  const sql = `SELECT id FROM message WHERE session_id = ? AND typeof(id) = 'text' ORDER BY ${order}`;
  for (const { id } of rowsOf(store, sql, [String(info.id)])) {
    const data = rowsOf(store, 'SELECT data FROM message WHERE id = ? AND octet_length(data) <= ?', [
      String(id),
      MAX_ROW_BYTES,
    ]);
    const message = asObject(parsed(data[0]?.data));
    if (message === undefined) {
      problem('row');
      continue;
    }
    const key = contentKey(message);
    const isCopy = isFork && key !== undefined && seen.has(key);
    if (key !== undefined) seen.add(key);
    if (!isCopy) yield { info: { ...message, id }, parts: partsOf(store, String(id), problem) };
  }
  yield* revertOf(info);
}

function partsOf(store: DatabaseSync, message: string, problem: RowProblem): JsonObject[] {
  const sql =
    'SELECT id, CASE WHEN octet_length(data) <= ? THEN data END AS data FROM part WHERE message_id = ? ORDER BY id';
  return rowsOf(store, sql, [MAX_ROW_BYTES, message]).flatMap((row) => {
    const data = asObject(parsed(row.data));
    if (data === undefined) problem('row');
    return data === undefined ? [] : [{ ...data, id: row.id }];
  });
}

/** A copy has the times of its original. */
function contentKey({ role, time }: JsonObject): string | undefined {
  const { created, completed } = asObject(time) ?? {};
  return typeof created === 'number' ? `${String(role)} ${created} ${String(completed)}` : undefined;
}
