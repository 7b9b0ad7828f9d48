/**
 * Streams of the Gemini CLI. Words of the model come in pieces without an id; the tokens of the whole run stand at its end,
 * by model. A call that a person cancelled or refused is printed as a success without output.
 */
import type { ResultEvent, UnplacedEvent, Usage } from '../../../event.ts';
import {
  asCount,
  asObject,
  asText,
  asTime,
  cutText,
  defined,
  isZero,
  type JsonObject,
  sampled,
  shown,
} from '../../json/json-fields.ts';
import { type BoundedMap, newBoundedMap, recall, remember } from '../bounded-map.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';

type State = {
  session: string | undefined;
  model: string | undefined;
  calls: BoundedMap<string>;
  /** Messages of the model so far, and whether the last one may go on. */
  messages: number;
  open: boolean;
};

type Send = (event: UnplacedEvent) => void;

function start(): State {
  return { session: undefined, model: undefined, calls: newBoundedMap(), messages: 0, open: false };
}

function step(state: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  if (isAnswer(fields)) return readAnswer(state, fields, line, emit);
  const at = asTime(fields.timestamp);
  const send: Send = (event) => emit(placeEvent(event, { line, at }), state.session);
  const type = asText(fields.type);
  switch (type) {
    case 'init':
      readInit(state, fields, send);
      return undefined;
    case 'message':
      readMessage(state, fields, send);
      return undefined;
    case 'tool_use':
      readCall(state, fields, line, send);
      return undefined;
    case 'tool_result':
      readResult(state, fields, send);
      return undefined;
    // A warning, or what the result says again.
    case 'error':
      return undefined;
    case 'result':
      readStats(state, fields.stats, line, send);
      readEnd(fields, send);
      return undefined;
    default:
      return type ?? '(no type)';
  }
}

function readInit(state: State, fields: JsonObject, send: Send): void {
  state.session = asText(fields.session_id) ?? state.session;
  state.model = asText(fields.model) ?? state.model;
  state.open = false;
  send({
    kind: 'session',
    agent: 'gemini-cli',
    ...defined({ sessionId: state.session, model: state.model }),
  });
}

function readMessage(state: State, fields: JsonObject, send: Send): void {
  const text = shown(fields.content) ?? '';
  if (fields.role === 'user') {
    state.open = false;
    send({ kind: 'user', origin: 'user', text });
    return;
  }
  if (!state.open) state.messages += 1;
  state.open = true;
  send({
    kind: 'reply',
    messageId: `message ${state.messages}`,
    text,
    usageElsewhere: true,
    ...defined({ model: state.model }),
  });
}

function readCall(state: State, fields: JsonObject, line: number, send: Send): void {
  const callId = asText(fields.tool_id) ?? `line-${line}`;
  const tool = asText(fields.tool_name) ?? 'unknown';
  state.open = false;
  remember(state.calls, callId, tool);
  send({ kind: 'call', callId, tool, input: fields.parameters ?? null });
}

function readResult(state: State, fields: JsonObject, send: Send): void {
  const callId = asText(fields.tool_id);
  if (callId === undefined) return;
  const text = shown(fields.output) ?? asText(asObject(fields.error)?.message);
  const outcome = outcomeOf(fields, recall(state.calls, callId) ?? '', text);
  send({ kind: 'result', callId, ...outcome, ...defined({ text: text && cutText(text) }) });
}

const SHELL = /shell|terminal|bash/i;
const EXIT_CODE = /(?:^|\n)Exit Code: (-?\d+)/;

/** Output is printed only where it is plain text, so that nothing follows from having none. */
function outcomeOf(
  { status, error }: JsonObject,
  tool: string,
  text: string | undefined,
): Pick<ResultEvent, 'ok' | 'denied' | 'byRule'> {
  if (asText(asObject(error)?.type) === 'execution_denied') return { denied: true, byRule: true };
  if (status === 'error') return { ok: false };
  if (status !== 'success' || text === undefined) return {};
  const code = SHELL.test(tool) ? EXIT_CODE.exec(text)?.[1] : undefined;
  return { ok: code === undefined || Number(code) === 0 };
}

function readStats(state: State, value: unknown, line: number, send: Send): void {
  const stats = asObject(value) ?? {};
  const models = Object.entries(asObject(stats.models) ?? {});
  const counted = models.length > 0 ? models : [[state.model ?? '', stats] as const];
  for (const [name, counts] of counted) {
    const usage = usageOf(asObject(counts) ?? {});
    if (usage === undefined || isZero(usage)) continue;
    const isMain = name === (state.model ?? '') && state.messages > 0;
    const messageId = isMain ? `message ${state.messages}` : `result-${line} ${name}`;
    send({
      kind: 'reply',
      text: '',
      messageId,
      usage,
      usageOfSeveral: true,
      ...defined({ model: asText(name) }),
    });
  }
}

/** Thoughts are in the total only. In the object of `json` the counts are those of the API, below `tokens`. */
function usageOf(fields: JsonObject): Usage | undefined {
  const tokens = asObject(fields.tokens);
  const prompt = asCount(fields.input_tokens ?? tokens?.prompt);
  const said = asCount(fields.output_tokens ?? tokens?.candidates);
  if (prompt === undefined && said === undefined) return undefined;
  const cacheRead = Math.min(asCount(fields.cached ?? tokens?.cached) ?? 0, prompt ?? 0);
  const total = asCount(fields.total_tokens ?? tokens?.total) ?? 0;
  const thoughts = asCount(tokens?.thoughts) ?? Math.max(0, total - (prompt ?? 0) - (said ?? 0));
  return { input: (prompt ?? 0) - cacheRead, output: (said ?? 0) + thoughts, cacheRead, cacheWrite: 0 };
}

function readEnd(fields: JsonObject, send: Send): void {
  const type = asText(asObject(fields.error)?.type) ?? '';
  if (fields.status === 'success') send({ kind: 'end', reason: 'normal' });
  else if (/cancel/i.test(type)) send({ kind: 'interrupt' });
  else send({ kind: 'end', reason: /turn/i.test(type) ? 'limit' : 'error' });
}

/** All there is of a session whose output was `json`. */
function readAnswer(state: State, fields: JsonObject, line: number, emit: Emit): undefined {
  state.session = asText(fields.session_id);
  const send: Send = (event) => emit(placeEvent(event, { line }), state.session);
  send({ kind: 'session', agent: 'gemini-cli', endOnly: true, ...defined({ sessionId: state.session }) });
  state.messages += 1;
  const error = asObject(fields.error);
  const text = asText(fields.response);
  state.model = busiestModel(fields.stats);
  const messageId = `message ${state.messages}`;
  if (text !== undefined)
    send({ kind: 'reply', text, messageId, usageElsewhere: true, ...defined({ model: state.model }) });
  readStats(state, fields.stats, line, send);
  readEnd({ status: error === undefined ? 'success' : 'error', error }, send);
  return undefined;
}

/** Which model spoke is not said; others did small jobs for the one that wrote most. */
function busiestModel(stats: unknown): string | undefined {
  const models = Object.entries(asObject(asObject(stats)?.models) ?? {});
  const written = ([, value]: [string, unknown]): number => usageOf(asObject(value) ?? {})?.output ?? 0;
  return models.sort((a, b) => written(b) - written(a))[0]?.[0];
}

function isAnswer(fields: JsonObject): boolean {
  const models = asObject(asObject(fields.stats)?.models);
  return fields.type === undefined && models !== undefined && ('response' in fields || 'error' in fields);
}

function detect({ records, document }: Sample): boolean {
  return sampled(records, document).some((fields) => {
    if (isAnswer(fields)) return true;
    if (asTime(fields.timestamp) === undefined) return false;
    if (fields.type === 'init')
      return asText(fields.session_id) !== undefined && asText(fields.model) !== undefined;
    if (fields.type === 'tool_use') return asText(fields.tool_id) !== undefined;
    return fields.type === 'result' && asObject(fields.stats) !== undefined;
  });
}

function* elements(document: unknown): Iterable<unknown> {
  if (Array.isArray(document)) yield* document;
  else yield document;
}

export const geminiStreamAdapter: Adapter<State> = { detect, start, step, elements };
