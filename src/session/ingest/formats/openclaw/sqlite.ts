/**
 * Stores of current OpenClaw versions, `openclaw-agent.sqlite`: the lines that used to be files are rows, some of
 * them compressed, and put-away transcripts are blobs. Tables and columns come and go with versions; what is not
 * there is done without.
 */
import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import type { Event, SessionEvent } from '../../../event.ts';
import {
  all,
  close,
  columnsOf,
  type DatabaseRow,
  openDatabase,
  some,
  withIndexes,
} from '../../files/open-database.ts';
import { asText, defined, firstTime } from '../../json/json-fields.ts';
import type { Sidecar } from '../format.ts';
import { readEntry, readKey, type SessionEntry, sessionEventOf } from './entry.ts';
import { linesOf, parseJson } from './files.ts';
import { agentOfPath } from './names.ts';
import { sidecarOf } from './sidecar.ts';
import { readTrajectory, TRAJECTORY_TYPES, type Trajectory } from './trajectory.ts';

/** A record, and its 1-based place among the records of its session. */
export type StoreRecord = { readonly line: number; readonly seq: number; readonly record: unknown };

export type OpenclawSession = {
  readonly sessionId: string;
  /** Can be gone through once, while the sessions are gone through. */
  readonly records: Iterable<StoreRecord>;
  readonly info: readonly SessionEvent[];
  /** `info` again, and what the store knows about how its runs ended, placed like the files beside a transcript. */
  readonly sidecar: Sidecar;
};

/** Why something in a store could not be used; `place` is a session, or the store itself. */
export type Problem = (reason: 'store-unreadable' | 'row-invalid' | 'row-too-large', place: string) => void;

/** One event, unpacked. OpenClaw compresses up to 4 MiB; a bomb is larger. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;
/** Rows are fetched in portions of about this size. */
const PORTION_BYTES = 1024 * 1024;
const PORTION_ROWS = 200;

/** Tables that are asked for one session at a time, and by what. */
const ASKED_FOR = [
  ['transcript_events', [['session_id', 'seq']]],
  ['trajectory_runtime_events', [['session_id', 'seq']]],
  ['session_windows', ['session_id']],
  ['session_nodes', ['session_key', 'current_session_id']],
  ['message_tool_run_outcomes', ['session_key']],
] as const;

export function* openStoreSessions(path: string, problem: Problem = () => {}): Generator<OpenclawSession> {
  const store = openDatabase(path);
  if (store === undefined) {
    problem('store-unreadable', path);
    return;
  }
  try {
    for (const [table, columns] of ASKED_FOR) withIndexes(store, table, columns);
    const context = contextOf(store, agentOfPath(path));
    for (const sessionId of liveSessions(context)) {
      yield { sessionId, records: liveRecords(context, sessionId, problem), ...about(context, sessionId) };
    }
    yield* archivedSessions(context, problem);
  } catch {
    problem('store-unreadable', path);
  } finally {
    close(store);
  }
}

/** True for a file that holds transcripts of OpenClaw, whatever its name is. */
export function isOpenclawStore(path: string): boolean {
  const store = openDatabase(path);
  if (store === undefined) return false;
  const columns = columnsOf(store, 'transcript_events');
  close(store);
  return columns.has('session_id') && (columns.has('event_json') || columns.has('event_zstd'));
}

type Context = {
  readonly store: DatabaseSync;
  readonly agent: string | undefined;
  readonly events: ReadonlySet<string>;
  readonly trajectory: boolean;
  readonly windows: ReadonlySet<string>;
  readonly nodes: ReadonlySet<string>;
  readonly sent: boolean;
};

function contextOf(store: DatabaseSync, agent: string | undefined): Context {
  const recorded = columnsOf(store, 'trajectory_runtime_events');
  const sent = columnsOf(store, 'message_tool_run_outcomes');
  return {
    store,
    agent,
    events: columnsOf(store, 'transcript_events'),
    trajectory: ['session_id', 'seq', 'event_json'].every((name) => recorded.has(name)),
    windows: columnsOf(store, 'session_windows'),
    nodes: columnsOf(store, 'session_nodes'),
    sent: ['session_key', 'outcome', 'occurred_at'].every((name) => sent.has(name)),
  };
}

/** From one id to the next, instead of one long read over all of them. */
function* liveSessions({ store, events }: Context): Generator<string> {
  if (!events.has('session_id') || !(events.has('event_json') || events.has('event_zstd'))) return;
  const next = `SELECT min(session_id) AS id FROM transcript_events WHERE typeof(session_id) = 'text' AND session_id > ?`;
  // A damaged index can lead back to where it came from.
  const seen = new Set<string>();
  for (let id = ''; ; ) {
    const found = asText(all(store, next, [id])[0]?.id);
    if (found === undefined || seen.has(found)) return;
    yield found;
    seen.add(found);
    id = found;
  }
}

function* liveRecords(context: Context, sessionId: string, problem: Problem): Generator<StoreRecord> {
  const sql = recordsQuery(context.events);
  let seq = Number.MIN_SAFE_INTEGER;
  for (let line = 0; ; ) {
    const rows = portion(context.store, sql, sessionId, seq, problem);
    for (const row of rows) {
      line += 1;
      seq = Number(row.seq);
      const record = recordOf(row, sessionId, problem);
      if (record !== undefined) yield { line, seq, record };
    }
    if (rows.length === 0) return;
  }
}

function recordsQuery(columns: ReadonlySet<string>): string {
  const seq = columns.has('seq') ? 'seq' : 'rowid';
  const bytes = (name: string) => (columns.has(name) ? `coalesce(octet_length(${name}), 0)` : '0');
  const small = (name: string) =>
    columns.has(name) ? `CASE WHEN ${bytes(name)} <= ${MAX_EVENT_BYTES} THEN ${name} END` : 'NULL';
  return `SELECT ${seq} AS seq, ${small('event_json')} AS json, ${small('event_zstd')} AS zstd,
      ${bytes('event_json')} + ${bytes('event_zstd')} AS bytes
    FROM transcript_events
    WHERE session_id = ? AND ${seq} > ? AND ${seq} <= ${Number.MAX_SAFE_INTEGER}
    ORDER BY ${seq}`;
}

function portion(
  store: DatabaseSync,
  sql: string,
  sessionId: string,
  after: number,
  problem: Problem,
): DatabaseRow[] {
  let bytes = 0;
  try {
    const rows = some(store, sql, [sessionId, after], (row, count) => {
      bytes += Number(row.bytes);
      return count >= PORTION_ROWS || bytes >= PORTION_BYTES;
    });
    // In a damaged store numbers may go backwards; without this the same rows would come forever.
    const wrong = rows.findIndex((row, index) => !(Number(row.seq) > Number(rows[index - 1]?.seq ?? after)));
    if (wrong !== -1) problem('row-invalid', sessionId);
    return wrong === -1 ? rows : rows.slice(0, wrong);
  } catch {
    problem('row-invalid', sessionId);
    return [];
  }
}

function recordOf(row: DatabaseRow, sessionId: string, problem: Problem): unknown {
  if (row.json === null && row.zstd === null) {
    problem(Number(row.bytes) > MAX_EVENT_BYTES ? 'row-too-large' : 'row-invalid', sessionId);
    return undefined;
  }
  const text = typeof row.json === 'string' ? row.json : unpack(row.zstd);
  const record = parseJson(text);
  if (record === undefined) problem('row-invalid', sessionId);
  return record;
}

/** Undefined for what is no zstd frame, and for one that unpacks to more than the limit. */
function unpack(packed: unknown): Buffer | undefined {
  if (!(packed instanceof Uint8Array)) return undefined;
  try {
    return zstdDecompressSync(packed, { maxOutputLength: MAX_EVENT_BYTES });
  } catch {
    return undefined;
  }
}

/** Transcripts that were reset or deleted, or grew cold, kept whole in a blob. */
function* archivedSessions(context: Context, problem: Problem): Generator<OpenclawSession> {
  for (const table of ['session_transcript_archives', 'session_transcript_cold_archives']) {
    const columns = columnsOf(context.store, table);
    const blob = ['archive_blob', 'payload_blob', 'blob'].find((name) => columns.has(name));
    if (blob === undefined || !columns.has('session_id')) continue;
    for (const row of archiveRows(context.store, table, blob)) {
      const sessionId = asText(row.id);
      if (sessionId === undefined) continue;
      const records = archivedRecords(context.store, table, blob, row, problem);
      const info = sessionFacts(context, sessionId).info;
      yield { sessionId, records, info, sidecar: sidecarOf(info, undefined, {}) };
    }
  }
}

function archiveRows(store: DatabaseSync, table: string, blob: string): DatabaseRow[] {
  const sql = `SELECT rowid AS row, session_id AS id FROM ${table} WHERE ${blob} IS NOT NULL ORDER BY rowid LIMIT 100000`;
  return all(store, sql);
}

function* archivedRecords(
  store: DatabaseSync,
  table: string,
  blob: string,
  row: DatabaseRow,
  problem: Problem,
): Generator<StoreRecord> {
  const place = String(row.id);
  const found = all(
    store,
    `SELECT ${blob} AS blob FROM ${table} WHERE rowid = ? AND octet_length(${blob}) <= ?`,
    [Number(row.row), MAX_EVENT_BYTES],
  )[0]?.blob;
  const packed =
    found instanceof Uint8Array ? Buffer.from(found.buffer, found.byteOffset, found.byteLength) : undefined;
  // The frame says itself that it is one, so the column that names the encoding is not needed.
  const file = packed !== undefined && isZstd(packed) ? unpack(packed) : packed;
  if (file === undefined) {
    problem(found === undefined ? 'row-too-large' : 'row-invalid', place);
    return;
  }
  let line = 0;
  for (const bytes of linesOf(file)) {
    line += 1;
    const record = parseJson(bytes);
    if (record !== undefined) yield { line, seq: line, record };
    else if (bytes.length > 0) problem('row-invalid', place);
  }
}

function isZstd(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32LE(0) === 0xfd2fb528;
}

type SessionAbout = Pick<OpenclawSession, 'info' | 'sidecar'>;

function about(context: Context, sessionId: string): SessionAbout {
  const { info, entry, status, key, since } = sessionFacts(context, sessionId);
  const trajectory = context.trajectory ? readRecorded(context.store, sessionId) : undefined;
  // The recorder tells run by run what the table tells only in sum.
  const recorded = (trajectory?.runs.length ?? 0) > 0;
  const ends = recorded || key === undefined || entry === undefined ? [] : sentMessages(context, key, since);
  return { info, sidecar: sidecarOf(info, trajectory, { status, ends }) };
}

type Facts = {
  readonly info: readonly SessionEvent[];
  readonly entry: SessionEntry | undefined;
  readonly key: string | undefined;
  readonly status: string | undefined;
  readonly since: number | undefined;
};

function sessionFacts(context: Context, sessionId: string): Facts {
  const window = windowOf(context, sessionId);
  const node = nodeOf(context, sessionId);
  const key = asText(node?.session_key) ?? asText(window?.session_key);
  const entry = key === undefined ? undefined : readEntry(key, parseJson(asText(node?.entry_json)));
  // The entry is about the conversation as it is now; an earlier window of it is only described by its own row.
  const current = entry?.sessionId === sessionId ? entry : undefined;
  const windowEvent: SessionEvent = {
    kind: 'session',
    sessionId,
    ...defined({ agent: context.agent }),
    ...(key === undefined ? {} : keyEvent(context, key, window, node ?? nodeOfKey(context, key))),
    ...defined({ model: asText(window?.model), provider: asText(window?.model_provider) }),
  };
  const entryEvent =
    current === undefined ? [] : [sessionEventOf(current, (other) => sessionOfKey(context, other))];
  return {
    info: [windowEvent, ...entryEvent],
    entry: current,
    key,
    status: current?.status ?? asText(window?.status),
    since: firstTime(window?.started_at, window?.created_at),
  };
}

function keyEvent(
  context: Context,
  key: string,
  window: DatabaseRow | undefined,
  node: DatabaseRow | undefined,
): Partial<SessionEvent> {
  const { agent, trigger } = readKey(key);
  const spawner = asText(window?.spawned_by) ?? asText(node?.spawned_by);
  // A topic of a chat has a parent too, but was not given a task by it.
  const isTask = trigger === 'subagent' || node?.created_via === 'spawn';
  const parentKey =
    spawner ??
    (isTask ? (asText(window?.parent_session_key) ?? asText(node?.parent_session_key)) : undefined);
  // Another agent's sessions are in a store of its own: then the key is all that is known of the parent.
  const parent = parentKey === undefined ? undefined : (sessionOfKey(context, parentKey) ?? parentKey);
  return defined({ agent, trigger: trigger ?? (isTask ? 'subagent' : undefined), parentSessionId: parent });
}

function windowOf({ store, windows }: Context, sessionId: string): DatabaseRow | undefined {
  if (!windows.has('session_id')) return undefined;
  const wanted = [
    'session_key',
    'status',
    'model',
    'model_provider',
    'spawned_by',
    'parent_session_key',
    'started_at',
    'created_at',
  ];
  const columns = wanted.filter((name) => windows.has(name));
  if (columns.length === 0) return undefined;
  return all(store, `SELECT ${columns.join(', ')} FROM session_windows WHERE session_id = ?`, [sessionId])[0];
}

/** A cron job and its latest run share a session; the run's key is the longer one and says more. */
function nodeOf(context: Context, sessionId: string): DatabaseRow | undefined {
  if (!context.nodes.has('current_session_id')) return undefined;
  return nodeWhere(context, 'current_session_id = ?', sessionId);
}

/** For an earlier window, whose conversation goes on in another one. */
function nodeOfKey(context: Context, key: string): DatabaseRow | undefined {
  return nodeWhere(context, 'session_key = ?', key);
}

function nodeWhere({ store, nodes }: Context, condition: string, value: string): DatabaseRow | undefined {
  if (!nodes.has('session_key')) return undefined;
  const wanted = ['parent_session_key', 'spawned_by', 'created_via'].filter((name) => nodes.has(name));
  const entry = nodes.has('entry_json')
    ? `CASE WHEN octet_length(entry_json) <= ${MAX_EVENT_BYTES} THEN entry_json END`
    : 'NULL';
  const sql = `SELECT ${['session_key', `${entry} AS entry_json`, ...wanted].join(', ')} FROM session_nodes
    WHERE ${condition} ORDER BY length(session_key) DESC LIMIT 1`;
  return all(store, sql, [value])[0];
}

function sessionOfKey({ store, nodes }: Context, key: string): string | undefined {
  if (!nodes.has('session_key') || !nodes.has('current_session_id')) return undefined;
  const sql = 'SELECT current_session_id AS id FROM session_nodes WHERE session_key = ?';
  return asText(all(store, sql, [key])[0]?.id);
}

function readRecorded(store: DatabaseSync, sessionId: string): Trajectory {
  const types = TRAJECTORY_TYPES.map((type) => `instr(substr(event_json, 1, 4096), '"${type}"') > 0`).join(
    ' OR ',
  );
  const sql = `SELECT seq, event_json AS json, octet_length(event_json) AS bytes FROM trajectory_runtime_events
    WHERE session_id = ? AND seq > ? AND seq <= ${Number.MAX_SAFE_INTEGER}
      AND octet_length(event_json) <= ${MAX_EVENT_BYTES} AND (${types}) ORDER BY seq`;
  return readTrajectory(recordedEvents(store, sql, sessionId));
}

function* recordedEvents(store: DatabaseSync, sql: string, sessionId: string): Generator<unknown> {
  let seq = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = portion(store, sql, sessionId, seq, () => {});
    for (const row of rows) {
      seq = Number(row.seq);
      yield parseJson(asText(row.json));
    }
    if (rows.length === 0) return;
  }
}

/** Messages that tools delivered while this window was open. */
function sentMessages({ store, sent }: Context, key: string, since: number | undefined): Event[] {
  if (!sent || since === undefined) return [];
  const sql = `SELECT count(*) AS times FROM message_tool_run_outcomes
    WHERE session_key = ? AND outcome = 'tool_delivered' AND occurred_at >= ?`;
  const times = Number(all(store, sql, [key, since])[0]?.times ?? 0);
  return times > 0 ? [{ kind: 'artifact', artifact: 'message', ok: true, line: 0 }] : [];
}
