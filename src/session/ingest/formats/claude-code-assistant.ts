/** Lines of the model: replies, tool calls, sub-agents it starts. */
import type { ReplyEvent, Usage } from '../../event.ts';
import type { Line } from './claude-code-state.ts';
import { adviceOf, lineUsage, messageKey, weigh } from './claude-code-usage.ts';
import { asArray, asObject, asText, contentText, cutText, type JsonObject } from './json-fields.ts';
import { remember } from './recent.ts';

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function readAssistant(place: Line): void {
  const { record } = place;
  const message = asObject(record.message);
  if (message === undefined) return;
  if (message.model === '<synthetic>') readSynthetic(place, message);
  else if (readReply(place, message)) readBlocks(place, message);
}

/** Written by the program in the name of the model: only a failed request says something about the session. */
function readSynthetic(place: Line, message: JsonObject): void {
  if (place.record.isApiErrorMessage !== true) return;
  place.send({ kind: 'reply', text: contentText(message.content), stop: 'error' });
}

/** False when the line is a copy of one that counts elsewhere. */
function readReply(place: Line, message: JsonObject): boolean {
  const { record, send } = place;
  const usage = lineUsage(place, message);
  const key = messageKey(record, message);
  const reply = replyOf(record, message);
  if (usage === undefined || key === undefined) {
    send({ ...reply, ...(key && { messageId: key }), ...(usage && { usage }) });
  } else {
    const verdict = weigh(place, key, String(message.id), usage);
    if (verdict.kind === 'replay') return false;
    if (verdict.kind === 'takeover') retract(place, verdict.from.key, verdict.from.session);
    send({ ...reply, messageId: key, usage: verdict.usage });
  }
  if (usage !== undefined) readAdvice(place, message, key);
  return true;
}

/** The last usage of a message counts, so an empty one takes back what a sidechain counted too early. */
function retract(place: Line, messageId: string, session: string): void {
  place.sendTo({ kind: 'reply', messageId, text: '', usage: NOTHING }, session);
}

function replyOf(record: JsonObject, message: JsonObject): ReplyEvent {
  const model = asText(message.model);
  const stop = stopOf(record, message);
  return {
    kind: 'reply',
    text: contentText(message.content),
    ...(model && { model }),
    ...(stop && { stop }),
  };
}

const STOPS: ReadonlyMap<unknown, ReplyEvent['stop']> = new Map([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_use', 'tool'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
]);

function stopOf(record: JsonObject, message: JsonObject): ReplyEvent['stop'] | undefined {
  if (record.isApiErrorMessage === true) return 'error';
  if (record.isAbortedMidStream === true) return 'aborted';
  return STOPS.get(message.stop_reason);
}

function readAdvice(place: Line, message: JsonObject, key: string | undefined): void {
  adviceOf(message).forEach(({ model, usage }, index) => {
    const messageId = key === undefined ? undefined : `${key}:advisor:${index}`;
    place.send({ kind: 'reply', text: '', model, usage, ...(messageId && { messageId }) });
  });
}

function readBlocks(place: Line, message: JsonObject): void {
  asArray(message.content).forEach((item, index) => {
    const block = asObject(item);
    const type = block?.type;
    if (block === undefined || typeof type !== 'string') return;
    // Tools that the API runs itself (`server_tool_use`, `web_search_tool_result`) come as blocks of the model, too.
    if (type.endsWith('tool_use')) readCall(place, block, index);
    else if (type.endsWith('tool_result')) readServerResult(place, block);
  });
}

function readCall(place: Line, block: JsonObject, index: number): void {
  const { state, record, line, send } = place;
  let callId = asText(block.id);
  if (callId === undefined) {
    callId = `${asText(record.uuid) ?? `line-${line}`}/${index}`;
    state.anonymousCall = callId;
  }
  const tool = asText(block.name) ?? 'unknown';
  send({ kind: 'call', callId, tool, input: block.input ?? null });
  if (tool !== 'Task' && tool !== 'Agent') return;
  remember(state.spawns, callId, 1);
  send({ kind: 'spawn', spawnId: callId });
}

function readServerResult(place: Line, block: JsonObject): void {
  const callId = asText(block.tool_use_id);
  if (callId === undefined) return;
  const failed =
    block.is_error === true || asText(asObject(block.content)?.type)?.endsWith('_error') === true;
  place.send({ kind: 'result', callId, ok: !failed, text: cutText(contentText(block.content)) });
}
