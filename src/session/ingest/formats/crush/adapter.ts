/**
 * Sessions of Crush. Its counts of tokens are those of the last request, so that what a session used is not known; its cost
 * adds up, with that of its sub-agents. Times are in seconds.
 */
import type { ReplyEvent, ResultEvent, UnplacedEvent } from '../../../event.ts';
import {
  asCount,
  asObject,
  asObjects,
  asText,
  cutText,
  defined,
  type JsonObject,
  parsed,
} from '../../json/json-fields.ts';
import { databaseSessions, isDatabaseWith, MAX_ROW_BYTES, rowsOf, selected } from '../database-sessions.ts';
import type { Adapter, Emit } from '../format.ts';
import { placeEvent } from '../place-event.ts';

type State = { session: string | undefined; subagent: boolean };
type Send = (event: UnplacedEvent) => void;

function step(state: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record) ?? {};
  const seconds = asCount(fields.created_at);
  const at = seconds === undefined || seconds >= 1e10 || seconds < 1e9 ? undefined : seconds * 1000;
  const send: Send = (event) => emit(placeEvent(event, { line, at }), state.session);
  const parts = asObjects(fields.parts);
  switch (fields.role) {
    case undefined:
      readSession(state, fields, send);
      return undefined;
    case 'user':
      readUser(state, parts, send);
      break;
    case 'assistant':
      if (fields.is_summary_message === 1) send({ kind: 'compaction' });
      else readReply(fields, parts, send);
      break;
    case 'tool':
      for (const { type, data } of parts) if (type === 'tool_result') readResult(asObject(data) ?? {}, send);
      break;
    case 'system':
      return undefined;
    default:
      return asText(fields.role) ?? '(no role)';
  }
  const strange = parts.find(({ type }) => !KNOWN.has(asText(type) ?? ''));
  return strange === undefined ? undefined : `part ${asText(strange.type) ?? '(no type)'}`;
}

const KNOWN: ReadonlySet<string> = new Set(
  'text reasoning tool_call tool_result finish image_url binary shell_command'.split(' '),
);

function readSession(state: State, fields: JsonObject, send: Send): void {
  const parent = asText(fields.parent_session_id);
  state.session = asText(fields.id);
  state.subagent = parent !== undefined;
  const cost = asCount(fields.cost) ?? 0;
  const served = parent === undefined ? {} : { parentSessionId: parent, trigger: 'subagent' as const };
  // What a sub-agent cost is part of what its parent did.
  const costUsd = parent === undefined && cost > 0 ? cost : undefined;
  send({ kind: 'session', agent: 'crush', ...served, ...defined({ sessionId: state.session, costUsd }) });
}

function textOf(parts: readonly JsonObject[]): string {
  return parts
    .filter(({ type }) => type === 'text')
    .flatMap(({ data }) => asText(asObject(data)?.text) ?? [])
    .join('\n');
}

function readUser(state: State, parts: readonly JsonObject[], send: Send): void {
  const text = textOf(parts);
  const hasFile = parts.some(({ type }) => type === 'binary' || type === 'image_url');
  if (text !== '' || hasFile) send({ kind: 'user', origin: state.subagent ? 'subagent' : 'user', text });
}

const STOPS: ReadonlyMap<unknown, ReplyEvent['stop']> = new Map([
  ['end_turn', 'end'],
  ['tool_use', 'tool'],
  ['max_tokens', 'length'],
  ['canceled', 'aborted'],
  ['error', 'error'],
  ['content_filter', 'refusal'],
]);

function readReply(fields: JsonObject, parts: readonly JsonObject[], send: Send): void {
  const finish = asObject(parts.find(({ type }) => type === 'finish')?.data);
  const stop = STOPS.get(finish?.reason);
  const about = {
    messageId: asText(fields.id),
    model: asText(fields.model),
    provider: asText(fields.provider),
    stop,
  };
  send({ kind: 'reply', text: textOf(parts), ...defined(about) });
  for (const { type, data } of parts) {
    const call = type === 'tool_call' ? asObject(data) : undefined;
    const callId = asText(call?.id);
    if (call === undefined || callId === undefined) continue;
    const tool = asText(call.name) ?? 'unknown';
    send({ kind: 'call', callId, tool, input: parsed(call.input) ?? null });
    if (tool === 'agent' || tool === 'agentic_fetch')
      send({ kind: 'spawn', spawnId: callId, sessionId: `${about.messageId ?? ''}$$${callId}` });
  }
  if (finish?.reason === 'canceled') send({ kind: 'interrupt' });
}

function readResult(result: JsonObject, send: Send): void {
  const callId = asText(result.tool_call_id);
  if (callId === undefined) return;
  const text = asText(result.content) ?? '';
  const outcome = outcomeOf(result, text);
  send({ kind: 'result', callId, ...outcome, text: cutText(text) });
  if (/^agent/.test(asText(result.name) ?? '') && outcome.ok !== undefined)
    send({ kind: 'spawn', spawnId: callId, ok: outcome.ok });
}

const EXIT_CODE = /(?:^|\n)Exit code (-?\d+)\s*$/;

/** A command that fails is no error of its tool: its code stands at the end of what it printed. */
function outcomeOf(result: JsonObject, text: string): Pick<ResultEvent, 'ok' | 'denied'> {
  if (result.is_error === true)
    return /^User denied permission/i.test(text) ? { denied: true } : { ok: false };
  const code = EXIT_CODE.exec(text)?.[1];
  if (code !== undefined) return { ok: Number(code) === 0 };
  return /aborted before completion/i.test(text.slice(-200)) ? { denied: true } : { ok: true };
}

const ASKED = { messages: ['session_id'] };
const SESSION = ['id', 'parent_session_id', 'cost'];
const MESSAGE = ['id', 'role', 'model', 'provider', 'is_summary_message', 'created_at'];

function sessions(path: string, problem: (what: 'row' | 'store') => void) {
  return databaseSessions(path, problem, ASKED, (store) => {
    const columns = selected(store, 'sessions', SESSION);
    // Names of sessions are made by sessions of their own.
    const sql = `SELECT ${columns} FROM sessions WHERE typeof(id) = 'text' AND id NOT LIKE 'title-%' ORDER BY rowid`;
    const rows = rowsOf(store, sql);
    return rows.map((row) => ({ id: String(row.id), records: recordsOf(row) }));
    function* recordsOf(row: JsonObject): Generator<JsonObject> {
      yield row;
      const wanted = selected(store, 'messages', MESSAGE);
      const query = `SELECT ${wanted}, CASE WHEN octet_length(parts) <= ? THEN parts END AS parts FROM messages
        WHERE session_id = ? ORDER BY created_at, rowid`;
      for (const message of rowsOf(store, query, [MAX_ROW_BYTES, String(row.id)])) {
        const parts = parsed(message.parts);
        if (!Array.isArray(parts)) problem('row');
        yield { ...message, parts };
      }
    }
  });
}

export const crushAdapter: Adapter<State> = {
  // Nothing but its databases is in this format.
  detect: () => false,
  start: () => ({ session: undefined, subagent: false }),
  step,
  store: {
    isStore: (path) =>
      isDatabaseWith(path, {
        sessions: ['id', 'parent_session_id'],
        messages: ['id', 'session_id', 'role', 'parts', 'created_at'],
      }),
    sessions,
  },
};
