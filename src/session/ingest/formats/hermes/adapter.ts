/**
 * Sessions of the Hermes Agent: messages in the words of the chat-completions API. The tokens and the cost of a session
 * stand in its row of the database alone, the input without what was cached, reasoning as part of the output.
 */
import type { ReplyEvent, UnplacedEvent, Usage } from '../../../event.ts';
import { stemOf } from '../../files/name-by-file.ts';
import {
  asCount,
  asObject,
  asObjects,
  asText,
  asTime,
  contentText,
  cutText,
  defined,
  isZero,
  type JsonObject,
  parsed,
  routedModel,
  sampled,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { outcomeOf } from './outcome.ts';
import { hermesSessions, isHermesStore } from './sqlite.ts';

type State = { session: string; told: boolean; subagent: boolean };
type Send = (event: UnplacedEvent) => void;

function start({ path }: FileInfo): State {
  return { session: stemOf(path).replace(/^session_/, ''), told: false, subagent: false };
}

function step(state: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const begun = fields.session_start ?? fields.started_at;
  const send: Send = (event) =>
    emit(placeEvent(event, { line, at: timeOf(fields.timestamp ?? begun) }), state.session);
  if (fields.role === undefined || fields.role === 'session_meta') {
    readSession(state, fields, send);
    return undefined;
  }
  if (!state.told) readSession(state, {}, send);
  switch (fields.role) {
    case 'user':
      readUser(state, contentText(fields.content), send);
      return undefined;
    case 'assistant':
      readReply(fields, line, send);
      return undefined;
    case 'tool':
      readResult(fields, send);
      return undefined;
    case 'system':
      return undefined;
    default:
      return asText(fields.role) ?? '(no role)';
  }
}

/** The database has seconds, with a fraction. */
function timeOf(stamp: unknown): number | undefined {
  return typeof stamp === 'number' && stamp < 1e11 ? asTime(Math.round(stamp * 1000)) : asTime(stamp);
}

/** A header may come last, with nothing in it. */
function readSession(state: State, fields: JsonObject, send: Send): void {
  const id = asText(fields.session_id) ?? asText(fields.id);
  if (id !== undefined) state.session = id;
  state.told = true;
  const parent = asText(fields.parent_session_id);
  const trigger = triggerOf(fields);
  state.subagent = trigger === 'subagent';
  const usage = usageOf(fields);
  const cost = asCount(fields.actual_cost_usd) ?? asCount(fields.estimated_cost_usd) ?? 0;
  const { model, provider } = routedModel(fields.model);
  const project = asText(fields.cwd) ?? asText(asObject(parsed(fields.model_config))?.cwd);
  send({
    kind: 'session',
    agent: 'hermes',
    sessionId: state.session,
    ...defined({ parentSessionId: parent, trigger, model, provider, project, usage }),
    ...(cost > 0 && { costUsd: cost }),
  });
}

function triggerOf(fields: JsonObject): 'cron' | 'subagent' | undefined {
  if (fields.source === 'cron' || fields.platform === 'cron') return 'cron';
  const config = asObject(parsed(fields.model_config));
  return fields.source === 'tool' || asText(config?._delegate_from) !== undefined ? 'subagent' : undefined;
}

function usageOf(fields: JsonObject): Usage | undefined {
  const usage = {
    input: asCount(fields.input_tokens) ?? 0,
    output: asCount(fields.output_tokens) ?? 0,
    cacheRead: asCount(fields.cache_read_tokens) ?? 0,
    cacheWrite: asCount(fields.cache_write_tokens) ?? 0,
  };
  return isZero(usage) ? undefined : usage;
}

/** What the program says in the name of the person. */
const RUNTIME = /^\s*\[(?:CONTEXT COMPACTION|CONTEXT SUMMARY|SYSTEM|System note|IMPORTANT: )/i;

function readUser(state: State, text: string, send: Send): void {
  if (text === '') return;
  if (/^\s*\[CONTEXT (?:COMPACTION|SUMMARY)/i.test(text)) send({ kind: 'compaction' });
  const origin = RUNTIME.test(text) ? 'runtime' : state.subagent ? 'subagent' : 'user';
  send({ kind: 'user', origin, text });
}

const STOPS: ReadonlyMap<unknown, ReplyEvent['stop']> = new Map([
  ['stop', 'end'],
  ['tool_calls', 'tool'],
  ['length', 'length'],
  ['content_filter', 'refusal'],
  ['error', 'error'],
]);

function readReply(fields: JsonObject, line: number, send: Send): void {
  const calls = asObjects(parsed(fields.tool_calls));
  const stop = STOPS.get(fields.finish_reason) ?? (calls.length > 0 ? ('tool' as const) : undefined);
  send({ kind: 'reply', text: contentText(fields.content), usageElsewhere: true, ...defined({ stop }) });
  calls.forEach((call, index) => {
    const named = asObject(call.function) ?? call;
    const callId = asText(call.id) ?? asText(call.call_id) ?? `line-${line}/${index}`;
    send({
      kind: 'call',
      callId,
      tool: asText(named.name) ?? 'unknown',
      input: parsed(named.arguments) ?? null,
    });
  });
}

function readResult(fields: JsonObject, send: Send): void {
  const callId = asText(fields.tool_call_id);
  if (callId === undefined) return;
  const text = contentText(fields.content);
  send({ kind: 'result', callId, ...outcomeOf(text, fields.finish_reason), text: cutText(text) });
}

function* elements(document: unknown): Iterable<unknown> {
  const { messages, ...session } = asObject(document) ?? {};
  yield session;
  yield* asObjects(messages).filter(({ role }) => role !== 'session_meta');
}

function detect({ records, document }: Sample): boolean {
  if (!document) return sampled(records, false).some(({ role }) => role === 'session_meta');
  const fields = asObject(records[0]);
  const isNamed = asText(fields?.session_id) !== undefined && asText(fields?.session_start) !== undefined;
  return isNamed && Array.isArray(fields?.messages);
}

export const hermesAdapter: Adapter<State> = {
  detect,
  start,
  step,
  elements,
  store: { isStore: isHermesStore, sessions: hermesSessions },
};
