/**
 * The database of current OpenCode versions. A row is what used to be a file, without the ids, which are columns.
 * Columns come with versions; what is not there is done without. Tables of the second engine (`session_message`) were
 * emptied by a migration and are not read.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  close,
  columnsOf,
  type DatabaseRow,
  openDatabase,
  some,
  withIndexes,
} from '../../files/open-database.ts';
import { asObject, asText, type JsonObject, parsed } from '../../json/json-fields.ts';
import type { SessionStore, StoreSession } from '../format.ts';
import { revertOf } from './revert.ts';

type Problem = Parameters<SessionStore['sessions']>[1];

const MAX_ROW_BYTES = 64 * 1024 * 1024;

export function isOpencodeStore(path: string): boolean {
  const store = openDatabase(path);
  if (store === undefined) return false;
  const has = (table: string, ...names: readonly string[]) => {
    const columns = columnsOf(store, table);
    return names.every((name) => columns.has(name));
  };
  const is =
    has('session', 'id') && has('message', 'id', 'session_id', 'data') && has('part', 'message_id', 'data');
  close(store);
  return is;
}

export function* openOpencodeSessions(path: string, problem: Problem): Generator<StoreSession> {
  const store = openDatabase(path);
  if (store === undefined) {
    problem('store');
    return;
  }
  // Of messages that were read: a fork has those of its origin again, under other ids.
  const seen = new Set<string>();
  try {
    withIndexes(store, 'message', ['session_id', 'id']);
    withIndexes(store, 'part', ['message_id']);
    for (const info of sessionsIn(store)) {
      yield { sessionId: String(info.id), records: recordsOf(store, info, seen, problem) };
    }
  } catch {
    problem('store');
  } finally {
    close(store);
  }
}

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

type StoreRecord = { readonly line: number; readonly record: JsonObject };

/** A store that breaks off is read up to there. */
function* recordsOf(
  store: DatabaseSync,
  info: JsonObject,
  seen: Set<string>,
  problem: Problem,
): Generator<StoreRecord> {
  try {
    yield* readRecords(store, info, seen, problem);
  } catch {
    problem('store');
  }
}

function* readRecords(
  store: DatabaseSync,
  info: JsonObject,
  seen: Set<string>,
  problem: Problem,
): Generator<StoreRecord> {
  const isFork = /\(fork #\d+\)\s*$/.test(String(info.title));
  let line = 1;
  yield { line, record: { info } };
  for (const { id } of messageIds(store, String(info.id))) {
    line += 1;
    const message = messageOf(store, String(id));
    if (message === undefined) {
      problem('row');
      continue;
    }
    const key = contentKey(message);
    const isCopy = isFork && key !== undefined && seen.has(key);
    if (key !== undefined) seen.add(key);
    if (!isCopy) yield { line, record: { info: message, parts: partsOf(store, String(id), problem) } };
  }
  const revert = revertOf(info);
  if (revert !== undefined) yield { line: line + 1, record: revert };
}

function messageIds(store: DatabaseSync, session: string): DatabaseRow[] {
  const order = columnsOf(store, 'message').has('time_created') ? 'time_created, id' : 'id';
  return rowsOf(
    store,
    `SELECT id FROM message WHERE session_id = ? AND typeof(id) = 'text' ORDER BY ${order}`,
    [session],
  );
}

function messageOf(store: DatabaseSync, id: string): JsonObject | undefined {
  const row = rowsOf(store, 'SELECT data FROM message WHERE id = ? AND octet_length(data) <= ?', [
    id,
    MAX_ROW_BYTES,
  ])[0];
  const data = asObject(parsed(row?.data));
  return data === undefined ? undefined : { ...data, id };
}

function partsOf(store: DatabaseSync, message: string, problem: Problem): JsonObject[] {
  const sql =
    'SELECT id, CASE WHEN octet_length(data) <= ? THEN data END AS data FROM part WHERE message_id = ? ORDER BY id';
  return rowsOf(store, sql, [MAX_ROW_BYTES, message]).flatMap((row) => {
    const data = asObject(parsed(row.data));
    if (data === undefined) problem('row');
    return data === undefined ? [] : [{ ...data, id: row.id }];
  });
}

/** A copy keeps its moments. */
function contentKey({ role, time }: JsonObject): string | undefined {
  const { created, completed } = asObject(time) ?? {};
  return typeof created === 'number' ? `${String(role)} ${created} ${String(completed)}` : undefined;
}

function rowsOf(store: DatabaseSync, sql: string, values: readonly SQLInputValue[] = []): DatabaseRow[] {
  return some(store, sql, values, () => false);
}
