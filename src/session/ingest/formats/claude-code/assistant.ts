/** Lines of the model: replies, tool calls, sub-agents it starts. */
import type { ReplyEvent } from '../../../event.ts';
import { asArray, asObject, asText, contentText, type JsonObject } from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import { sendCall, sendResult, stopOf } from '../chat.ts';
import type { Line } from './state.ts';
import { adviceOf, costOf, lineUsage, messageKey, type UsageVerdict, weigh } from './usage.ts';

export function readAssistant(place: Line): void {
  const { record } = place;
  const message = asObject(record.message);
  if (message === undefined) return;
  place.state.compacting = undefined;
  if (message.model === '<synthetic>') readSynthetic(place, message);
  else if (readReply(place, message)) readBlocks(place, message);
}

/** Written by the program in the name of the model: only a failed request is information about the session. */
function readSynthetic(place: Line, message: JsonObject): void {
  if (place.record.isApiErrorMessage !== true || place.repeated) return;
  place.send({ kind: 'reply', text: contentText(message.content), stop: 'error' });
}

/** False when the line is a copy of one that counts elsewhere. */
function readReply(place: Line, message: JsonObject): boolean {
  const { record, state, repeated } = place;
  const usage = lineUsage(record, message, place.at);
  const key = messageKey(record, message, state.pathParent ?? state.stem);
  if (usage === undefined || key === undefined) {
    if (repeated) return false;
    const cost = usage && costOf(record);
    place.send({
      ...replyOf(record, message),
      ...(key && { messageId: key }),
      ...(usage && { usage }),
      ...(cost !== undefined && { costUsd: cost }),
    });
    if (usage !== undefined) readAdvice(place, message, key);
    return true;
  }
  const verdict = weigh(place, message, usage);
  if (verdict.kind === 'replay') return false;
  sendCounted(place, message, key, verdict);
  if (!repeated && verdict.kind !== 'more') readAdvice(place, message, key);
  return !repeated;
}

function sendCounted(
  place: Line,
  message: JsonObject,
  messageId: string,
  verdict: Exclude<UsageVerdict, { kind: 'replay' }>,
): void {
  const { record, send, repeated } = place;
  const reply = replyOf(record, message);
  if (repeated) reply.text = '';
  if (verdict.kind === 'more') {
    reply.usage = verdict.usage;
    send(reply);
    return;
  }
  if (verdict.kind === 'takeover') retract(place, verdict.from.key, verdict.from.session);
  const { usage, costUsd } = verdict.kind === 'takeover' ? verdict.line : verdict;
  reply.messageId = messageId;
  reply.usage = usage;
  if (costUsd !== undefined) reply.costUsd = costUsd;
  send(reply);
}

/** Takes back what a line counted for a message that another one counts for. */
function retract(place: Line, messageId: string, session: string): void {
  place.sendTo({ kind: 'reply', messageId, text: '', retracted: true }, session);
}

type Reply = { -readonly [Name in keyof ReplyEvent]: ReplyEvent[Name] };

function replyOf(record: JsonObject, message: JsonObject): Reply {
  const model = modelOf(message);
  const stop = stopIn(record, message);
  const reply: Reply = { kind: 'reply', text: contentText(message.content) };
  if (model !== undefined) reply.model = model;
  if (stop !== undefined) reply.stop = stop;
  return reply;
}

/** Fast answers of a model have a price of their own, and are named as price lists name them. */
function modelOf(message: JsonObject): string | undefined {
  const model = asText(message.model);
  return model !== undefined && asObject(message.usage)?.speed === 'fast' ? `${model}-fast` : model;
}

function stopIn(record: JsonObject, message: JsonObject): ReplyEvent['stop'] {
  if (record.isApiErrorMessage === true) return 'error';
  if (record.isAbortedMidStream === true) return 'aborted';
  return stopOf(message.stop_reason);
}

function readAdvice(place: Line, message: JsonObject, key: string | undefined): void {
  adviceOf(message).forEach(({ model, usage }, index) => {
    place.state.sent += 1;
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
  sendCall(send, callId, tool, block.input);
  if (tool !== 'Task' && tool !== 'Agent') return;
  remember(state.spawns, callId, 1);
  send({ kind: 'spawn', spawnId: callId });
}

function readServerResult(place: Line, block: JsonObject): void {
  const failed =
    block.is_error === true || asText(asObject(block.content)?.type)?.endsWith('_error') === true;
  sendResult(place.send, block.tool_use_id, { ok: !failed, text: contentText(block.content) });
}
