/**
 * Sessions of Goose: rows of its database, lines of its earlier files, and what `goose run` prints as JSON. Times are in
 * seconds. The tokens of a session are totals, with what was cached in the input; those beside them are of the last request. Newer
 * databases have the cost and the session that started another. There is no end.
 */
import type { UnplacedEvent } from '../../../event.ts';
import { stemOf } from '../../files/name-by-file.ts';
import {
  asCost,
  asCount,
  asObject,
  asObjects,
  asText,
  defined,
  type JsonObject,
  parsed,
  sampled,
  usageOf,
} from '../../json/json-fields.ts';
import { databaseSessions, isDatabaseWith, MAX_ROW_BYTES, rowsOf, selected } from '../database-sessions.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { readMessage } from './messages.ts';

export type GooseState = {
  /** What a file of lines is called is the session. */
  readonly stem: string;
  session: string | undefined;
  subagent: boolean;
  model: string | undefined;
  provider: string | undefined;
  /** The message before was for the model alone. */
  hidden: boolean;
};

function start({ path }: FileInfo): GooseState {
  const base = { session: undefined, subagent: false, model: undefined, provider: undefined, hidden: false };
  return { stem: stemOf(path), ...base };
}

function step(state: GooseState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const message = asObject(fields.message) ?? fields;
  const created = asCount(message.created);
  const at = created === undefined ? undefined : timeOf(created);
  const send = (event: UnplacedEvent): void =>
    emit(placeEvent(event, { line, at }), state.session ?? state.stem);
  if (asText(message.role) !== undefined) {
    // What is printed has no header.
    if (state.session === undefined) send({ kind: 'session', agent: 'goose' });
    state.session ??= state.stem;
    return readMessage(state, message, line, send);
  }
  if (isHeader(fields)) {
    readSession(state, fields, send);
    return undefined;
  }
  switch (fields.type) {
    case 'complete':
    case 'notification':
      return undefined;
    case 'error':
      send({ kind: 'end', reason: 'error' });
      return undefined;
    default:
      return asText(fields.type) ?? '(no role)';
  }
}

function timeOf(created: number): number | undefined {
  const at = created < 1e11 ? created * 1000 : created;
  return at >= 1e12 && at < 1e13 ? at : undefined;
}

const TRIGGERS: ReadonlyMap<unknown, 'subagent' | 'cron'> = new Map([
  ['sub_agent', 'subagent'],
  ['scheduled', 'cron'],
]);

function readSession(state: GooseState, fields: JsonObject, send: (event: UnplacedEvent) => void): void {
  const config = asObject(parsed(fields.model_config_json));
  const trigger = TRIGGERS.get(fields.session_type);
  state.session = asText(fields.id) ?? state.stem;
  state.subagent = trigger === 'subagent';
  state.model = asText(config?.model_name);
  state.provider = asText(fields.provider_name);
  const usage = usageOf(
    fields.accumulated_input_tokens,
    fields.accumulated_output_tokens,
    fields.accumulated_cache_read_tokens,
    fields.accumulated_cache_write_tokens,
  );
  send({
    kind: 'session',
    agent: 'goose',
    sessionId: state.session,
    ...defined({
      trigger,
      parentSessionId: asText(fields.parent_session_id),
      costUsd: asCost(fields.accumulated_cost, usage),
      project: asText(fields.working_dir),
      model: state.model,
      provider: state.provider,
    }),
    ...(usage !== undefined && { usage, usageIsTotal: true as const }),
  });
}

function isHeader(fields: JsonObject): boolean {
  return asText(fields.working_dir) !== undefined;
}

function* elements(document: unknown): Iterable<unknown> {
  yield* asObjects(asObject(document)?.messages);
}

const CONTENT =
  /^(?:toolRequest|toolResponse|frontendToolRequest|toolConfirmationRequest|systemNotification)$/;

/** Messages look like those of others until they call something: then the words are its own. */
function detect({ records, document }: Sample): boolean {
  const first = asObject(records[0]);
  const messages = document ? asObjects(first?.messages) : sampled(records, false);
  return messages.some((fields) => {
    const message = asObject(fields.message) ?? fields;
    const isSpoken = asText(message.role) !== undefined && typeof message.created === 'number';
    if (!document && isHeader(fields) && 'message_count' in fields) return true;
    return (
      isSpoken &&
      (isVisible(message) || asObjects(message.content).some(({ type }) => CONTENT.test(String(type))))
    );
  });
}

function isVisible(message: JsonObject): boolean {
  return typeof asObject(message.metadata)?.userVisible === 'boolean';
}

/** Neither a row nor a line has an id that both have: when it was said, by whom and how it begins is one. */
function entryKey(record: unknown): string | undefined {
  const fields = asObject(record);
  const message = asObject(fields?.message) ?? fields;
  const created = asCount(message?.created);
  if (created === undefined || asText(message?.role) === undefined) return undefined;
  return `goose ${asText(message?.role)} ${created} ${JSON.stringify(message?.content ?? null).slice(0, 120)}`;
}

const ASKED = { messages: ['session_id'] };
const COLUMNS = `id, session_type, working_dir, accumulated_input_tokens, accumulated_output_tokens,
  accumulated_cache_read_tokens, accumulated_cache_write_tokens, accumulated_cost, parent_session_id, provider_name,
  model_config_json`.split(/,\s*/);

function sessions(path: string, problem: (what: 'row' | 'store') => void) {
  return databaseSessions(path, problem, ASKED, (store) => {
    const columns = selected(store, 'sessions', COLUMNS);
    const rows = rowsOf(store, `SELECT ${columns} FROM sessions WHERE typeof(id) = 'text' ORDER BY id`);
    return rows.map((row) => ({ id: String(row.id), records: recordsOf(row) }));
    function* recordsOf(row: JsonObject): Generator<JsonObject> {
      yield { ...row, working_dir: asText(row.working_dir) ?? '-' };
      const wanted = selected(store, 'messages', ['role', 'created_timestamp', 'metadata_json']);
      const sql = `SELECT ${wanted}, CASE WHEN octet_length(content_json) <= ? THEN content_json END AS content
        FROM messages WHERE session_id = ? ORDER BY id`;
      for (const message of rowsOf(store, sql, [MAX_ROW_BYTES, String(row.id)])) {
        const content = parsed(message.content);
        if (!Array.isArray(content)) problem('row');
        const { role, created_timestamp: created, metadata_json: metadata } = message;
        yield { role, created, content, metadata: parsed(metadata) };
      }
    }
  });
}

export const gooseAdapter: Adapter<GooseState> = {
  detect,
  start,
  step,
  elements,
  entryKey,
  store: {
    isStore: (path) =>
      isDatabaseWith(path, { sessions: ['id'], messages: ['id', 'session_id', 'role', 'content_json'] }),
    sessions,
  },
};
