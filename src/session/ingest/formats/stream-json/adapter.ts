/**
 * Streams of print mode. Their messages carry tokens that are only a part of what was used; the `result` at the end of a
 * run has them all, by model, sub-agents included. Lines have no times.
 */
import { asObject, asText, defined, type JsonObject, sampled } from '../../json/json-fields.ts';
import { entriesOf, newBoundedMap } from '../bounded-map.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { readAssistant, readUser } from './messages.ts';
import { readResult } from './result.ts';
import { placeStreamLine, type StreamLine, type StreamState, startStream } from './state.ts';
import { readToolCall } from './tool-call.ts';

const IGNORED: ReadonlySet<string> = new Set(
  'stream_event rate_limit_event thinking keep_alive control_request control_response tool_progress'.split(
    ' ',
  ),
);

/** What the program tells about itself. */
const IGNORED_SYSTEM: ReadonlySet<string> = new Set(
  `status hook_started hook_progress hook_response task_started task_progress task_updated api_retry
   local_command_output files_persisted notification session_start session_state_changed informational error warning`.split(
    /\s+/,
  ),
);

function step(state: StreamState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  const type = asText(fields?.type);
  if (fields === undefined || type === undefined) return '(no type)';
  if (IGNORED.has(type)) return undefined;
  if (type === 'system' && fields.subtype === 'init') noteAgent(state, fields);
  if (type === 'tool_call') state.agent = 'cursor';
  const place = placeStreamLine(state, fields, line, emit);
  switch (type) {
    case 'system':
      return readSystem(place);
    case 'assistant':
      readAssistant(place);
      return undefined;
    case 'user':
      readUser(place);
      return undefined;
    case 'tool_call':
      readToolCall(place);
      return undefined;
    case 'result':
      readResult(place);
      return undefined;
    case 'conversation_reset':
      Object.assign(state, {
        spent: newBoundedMap(),
        session: asText(fields.new_conversation_id) ?? state.session,
      });
      return undefined;
    default:
      return type;
  }
}

/** Agents that took over the shape are told by what only they have in it. */
function noteAgent(state: StreamState, fields: JsonObject): void {
  const session = asText(fields.session_id) ?? '';
  if ('qwen_code_version' in fields) state.agent = 'qwen-code';
  else if (/^T-/.test(session)) state.agent = 'amp';
  else if (!Array.isArray(fields.tools) && asText(fields.apiKeySource) !== undefined) state.agent = 'cursor';
}

function readSystem(place: StreamLine): string | undefined {
  const { state, record, send } = place;
  const subtype = asText(record.subtype) ?? '(no subtype)';
  if (subtype === 'compact_boundary') send({ kind: 'compaction' });
  else if (subtype === 'task_notification') readTask(place);
  else if (subtype === 'init') {
    state.model = asText(record.model) ?? state.model;
    const { agent, model } = state;
    send({ kind: 'session', agent, ...defined({ model, project: asText(record.cwd) }) });
  } else if (!IGNORED_SYSTEM.has(subtype)) return `system/${subtype}`;
  return undefined;
}

/** Work in the background came to its end. */
function readTask({ record, send }: StreamLine): void {
  const call = asText(record.tool_use_id);
  const ok = record.status === 'completed' ? true : record.status === 'failed' ? false : undefined;
  if (call !== undefined && ok !== undefined) send({ kind: 'spawn', spawnId: call, ok });
}

/** A run that was cut off has no `result`: then what its messages say is all there is. */
function finish(state: StreamState, line: number, emit: Emit): void {
  for (const [messageId, { session, model, usage }] of entriesOf(state.pending))
    emit(placeEvent({ kind: 'reply', text: '', messageId, usage, ...defined({ model }) }, { line }), session);
}

function* elements(document: unknown): Iterable<unknown> {
  if (Array.isArray(document)) yield* document;
  else yield document;
}

function detect({ records, document }: Sample): boolean {
  const lines = sampled(records, document);
  return !lines.some(isOther) && lines.some(isStreamLine);
}

/** Another agent begins its stream in the same way. */
function isOther(fields: JsonObject): boolean {
  return fields.type === 'message' || fields.type === 'completion' || 'reasoning_effort' in fields;
}

function isStreamLine(fields: JsonObject): boolean {
  if (asText(fields.session_id) === undefined || asText(fields.sessionId) !== undefined) return false;
  switch (fields.type) {
    case 'system':
      return asText(fields.subtype) !== undefined;
    case 'assistant':
    case 'user':
      return asObject(fields.message)?.content !== undefined;
    case 'tool_call':
      return asText(fields.call_id) !== undefined && asObject(fields.tool_call) !== undefined;
    case 'result':
      return asText(fields.subtype) !== undefined && typeof fields.is_error === 'boolean';
    default:
      return false;
  }
}

/** A stream that was kept twice is one. */
function entryKey(record: unknown): string | undefined {
  const fields = asObject(record);
  const uuid = asText(fields?.uuid);
  return uuid === undefined ? undefined : `stream-json ${uuid}`;
}

export const streamJsonAdapter: Adapter<StreamState> = {
  detect,
  start: startStream,
  step,
  finish,
  elements,
  entryKey,
};
