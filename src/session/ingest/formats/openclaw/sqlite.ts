/**
 * Stores of current OpenClaw versions, `openclaw-agent.sqlite`: lines of the former files are rows, some of them
 * compressed, and archived transcripts are blobs. Tables and columns differ between versions; missing ones are skipped.
 */
import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import type { Event, SessionEvent } from '../../../event.ts';
import { all, columnsOf, type DatabaseRow, some } from '../../files/open-database.ts';
import { asObject, asText, defined, firstTime, type JsonObject, parsed } from '../../json/json-fields.ts';
import {
  type DatabaseSession,
  databaseSessions,
  MAX_ROW_BYTES,
  type RowProblem,
} from '../database-sessions.ts';
import type { Sidecar, StoreSession } from '../format.ts';
import { readEntry, readKey, sessionEventOf } from './entry.ts';
import { agentOfPath } from './names.ts';
import { sidecarOf } from './sidecar.ts';
import { readTrajectory, TRAJECTORY_TYPES } from './trajectory.ts';

/** Rows are fetched in pages of about this size, so that the agent can write in between. */
const PAGE_BYTES = 1024 * 1024;
const PAGE_ROWS = 200;

/** The columns that are read, of each table. */
const WANTED = {
  transcript_events: ['session_id', 'seq', 'event_json', 'event_zstd'],
  trajectory_runtime_events: ['session_id', 'seq', 'event_json'],
  session_windows: [
    ...['session_id', 'session_key', 'status', 'model', 'model_provider', 'spawned_by', 'parent_session_key'],
    ...['started_at', 'created_at'],
  ],
  session_nodes: [
    ...['session_key', 'current_session_id', 'entry_json', 'parent_session_key', 'spawned_by', 'created_via'],
  ],
  message_tool_run_outcomes: ['session_key', 'outcome', 'occurred_at'],
  session_transcript_archives: ['session_id', 'archive_blob', 'payload_blob', 'blob'],
  session_transcript_cold_archives: ['session_id', 'archive_blob', 'payload_blob', 'blob'],
} as const;
type Table = keyof typeof WANTED;

/** Tables that are read one session at a time, and their lookup columns. */
const ASKED_FOR = {
  transcript_events: [['session_id', 'seq']],
  trajectory_runtime_events: [['session_id', 'seq']],
  session_windows: ['session_id'],
  session_nodes: ['session_key', 'current_session_id'],
  message_tool_run_outcomes: ['session_key'],
} as const;

type Store = {
  readonly database: DatabaseSync;
  readonly agent: string | undefined;
  /** Of the wanted columns those that are there. */
  readonly columns: Readonly<Record<Table, readonly string[]>>;
};

export function storeSessions(path: string, problem: RowProblem): Iterable<StoreSession> {
  return databaseSessions(path, problem, ASKED_FOR, (database) => {
    const columns = Object.entries(WANTED).map(([table, wanted]) => {
      const there = columnsOf(database, table);
      return [table, wanted.filter((name) => there.has(name))];
    });
    return sessionsIn({ database, agent: agentOfPath(path), columns: Object.fromEntries(columns) }, problem);
  });
}

function* sessionsIn(store: Store, problem: RowProblem): Generator<DatabaseSession> {
  for (const id of liveSessions(store))
    yield { id, records: liveRecords(store, id, problem), sidecar: liveSidecar(store, id) };
  for (const table of ['session_transcript_archives', 'session_transcript_cold_archives'] as const) {
    const [first, blob] = store.columns[table];
    if (first !== 'session_id' || blob === undefined) continue;
    const sql = `SELECT rowid AS row, session_id AS id FROM ${table} WHERE ${blob} IS NOT NULL AND typeof(session_id) = 'text'
      ORDER BY rowid LIMIT 100000`;
    for (const { row, id } of all(store.database, sql)) {
      const packed = `SELECT ${bounded(blob)} AS bytes FROM ${table} WHERE rowid = ?`;
      const records = () => archivedRecords(all(store.database, packed, [Number(row)])[0]?.bytes, problem);
      const about = aboutSession(store, String(id));
      yield { id: String(id), records: records(), sidecar: sidecarOf(about.sessions, undefined, {}) };
    }
  }
}

function bounded(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${MAX_ROW_BYTES} THEN ${column} END`;
}

/** From one id to the next, instead of one long read over all of them. */
function* liveSessions({ database, columns }: Store): Generator<string> {
  if (columns.transcript_events[0] !== 'session_id' || columns.transcript_events.length < 2) return;
  const next = `SELECT min(session_id) AS id FROM transcript_events WHERE typeof(session_id) = 'text' AND session_id > ?`;
  // A damaged index can lead back to where it came from.
  const seen = new Set<string>();
  for (let id = ''; ; ) {
    const found = asText(all(database, next, [id])[0]?.id);
    if (found === undefined || seen.has(found)) return;
    yield found;
    seen.add(found);
    id = found;
  }
}

function* liveRecords(store: Store, sessionId: string, problem: RowProblem): Generator<JsonObject> {
  for (const row of rowsInOrder(store, 'transcript_events', sessionId)) {
    const text = row.event_json ?? unpacked(row.event_zstd)?.toString();
    const record = asObject(parsed(text));
    if (record === undefined) problem('row');
    else yield record;
  }
}

function* rowsInOrder(
  { database, columns }: Store,
  table: 'transcript_events' | 'trajectory_runtime_events',
  sessionId: string,
  condition = 'true',
): Generator<DatabaseRow> {
  const seq = columns[table].includes('seq') ? 'seq' : 'rowid';
  const data = columns[table].filter((name) => name.startsWith('event_'));
  const sql = `SELECT ${seq} AS seq, ${data.map((name) => `${bounded(name)} AS ${name}`).join(', ')} FROM ${table}
    WHERE session_id = ? AND ${seq} > ? AND ${seq} <= ${Number.MAX_SAFE_INTEGER} AND ${condition} ORDER BY ${seq}`;
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    let bytes = 0;
    const rows = some(database, sql, [sessionId, last], ({ event_json, event_zstd }, count) => {
      bytes += String(event_json ?? '').length + (event_zstd instanceof Uint8Array ? event_zstd.length : 0);
      return count >= PAGE_ROWS || bytes >= PAGE_BYTES;
    });
    for (const row of rows) {
      if (!(Number(row.seq) > last)) throw new Error('a damaged store would give the same rows for ever');
      last = Number(row.seq);
      yield row;
    }
    if (rows.length === 0) return;
  }
}

/** Undefined for data that is no zstd frame, or unpacks to more than the limit. */
function unpacked(packed: unknown): Buffer | undefined {
  if (!(packed instanceof Uint8Array)) return undefined;
  try {
    return zstdDecompressSync(packed, { maxOutputLength: MAX_ROW_BYTES });
  } catch {
    return undefined;
  }
}

const ZSTD = 0xfd2fb528;

/** Transcripts that were reset or deleted, or grew cold, stored whole in a blob, which may be compressed. */
function* archivedRecords(blob: unknown, problem: RowProblem): Generator<JsonObject> {
  const bytes = blob instanceof Uint8Array ? Buffer.from(blob) : undefined;
  const isPacked = bytes !== undefined && bytes.length >= 4 && bytes.readUInt32LE(0) === ZSTD;
  const text = (isPacked ? unpacked(bytes) : bytes)?.toString();
  if (text === undefined) return problem('row');
  for (const line of text.split('\n')) {
    const record = asObject(parsed(line));
    if (record !== undefined) yield record;
    else if (line !== '') problem('row');
  }
}

function liveSidecar(store: Store, sessionId: string): Sidecar {
  const { sessions, key, status, since } = aboutSession(store, sessionId);
  const types = TRAJECTORY_TYPES.map((type) => `instr(substr(event_json, 1, 4096), '"${type}"') > 0`);
  const recorded =
    store.columns.trajectory_runtime_events.length < 3
      ? undefined
      : readTrajectory(
          rowsInOrder(store, 'trajectory_runtime_events', sessionId, `(${types.join(' OR ')})`).map(
            ({ event_json }) => parsed(event_json),
          ),
        );
  // The recorder has the messages of each run, the table only their sum.
  const ends = recorded?.runs.length || key === undefined ? [] : sentMessages(store, key, since);
  return sidecarOf(sessions, recorded, { status, ends });
}

type AboutSession = {
  readonly sessions: readonly SessionEvent[];
  /** The conversation whose current window this session is. */
  readonly key: string | undefined;
  readonly status: string | undefined;
  readonly since: number | undefined;
};

function aboutSession(store: Store, sessionId: string): AboutSession {
  const window = rowWith(store, 'session_windows', 'session_id', sessionId);
  const node = rowWith(store, 'session_nodes', 'current_session_id', sessionId);
  const key = asText(node?.session_key) ?? asText(window?.session_key);
  const entry = key === undefined ? undefined : readEntry(key, parsed(node?.entry_json));
  // The entry describes the conversation as it is now; an earlier window has only its own row.
  const current = entry?.sessionId === sessionId ? entry : undefined;
  const agent = store.agent;
  const model = asText(window?.model);
  const ofKey = key === undefined ? {} : keyFacts(store, key, window, node);
  const provider = asText(window?.model_provider);
  const sessions: SessionEvent[] = [
    { kind: 'session', sessionId, ...defined({ agent, ...ofKey, model, provider }) },
  ];
  if (current !== undefined) sessions.push(sessionEventOf(current, (other) => sessionOfKey(store, other)));
  const status = current?.status ?? asText(window?.status);
  const since = firstTime(window?.started_at, window?.created_at);
  return { sessions, key: current === undefined ? undefined : key, status, since };
}

function keyFacts(
  store: Store,
  key: string,
  window: DatabaseRow | undefined,
  current: DatabaseRow | undefined,
): Partial<SessionEvent> {
  const { agent, trigger } = readKey(key);
  // The conversation of an earlier window continues in another one.
  const node = current ?? rowWith(store, 'session_nodes', 'session_key', key);
  const spawner = asText(window?.spawned_by) ?? asText(node?.spawned_by);
  // A topic of a chat has a parent too, but no task from it.
  const isTask = trigger === 'subagent' || node?.created_via === 'spawn';
  const above = asText(window?.parent_session_key) ?? asText(node?.parent_session_key);
  const parent = spawner ?? (isTask ? above : undefined);
  // Another agent's sessions are in a store of its own: then only the key of the parent is known.
  const parentSessionId = parent === undefined ? undefined : (sessionOfKey(store, parent) ?? parent);
  return defined({ agent, trigger: trigger ?? (isTask ? 'subagent' : undefined), parentSessionId });
}

/** A cron job and its latest run share a session; the run's key is longer and more specific. */
function rowWith(
  { database, columns }: Store,
  table: 'session_windows' | 'session_nodes',
  column: string,
  value: string,
): DatabaseRow | undefined {
  if (!columns[table].includes(column) || !columns[table].includes('session_key')) return undefined;
  const names = columns[table].map((name) => `${bounded(name)} AS ${name}`).join(', ');
  const sql = `SELECT ${names} FROM ${table} WHERE ${column} = ? ORDER BY length(session_key) DESC LIMIT 1`;
  return all(database, sql, [value])[0];
}

function sessionOfKey(store: Store, key: string): string | undefined {
  return asText(rowWith(store, 'session_nodes', 'session_key', key)?.current_session_id);
}

/** Messages that tools delivered while this window was open. */
function sentMessages({ database, columns }: Store, key: string, since: number | undefined): Event[] {
  if (columns.message_tool_run_outcomes.length < 3 || since === undefined) return [];
  const sql = `SELECT count(*) AS times FROM message_tool_run_outcomes
    WHERE session_key = ? AND outcome = 'tool_delivered' AND occurred_at >= ?`;
  const times = Number(all(database, sql, [key, since])[0]?.times ?? 0);
  return times > 0 ? [{ kind: 'artifact', artifact: 'message', ok: true, line: 0 }] : [];
}
