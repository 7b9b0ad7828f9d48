/** Messages of a stream: what the model says and calls, and what is said to it. */
import type { ReplyEvent, ResultEvent } from '../../../event.ts';
import {
  asArray,
  asObject,
  asObjects,
  asText,
  contentText,
  cutText,
  defined,
  type JsonObject,
} from '../../json/json-fields.ts';
import { recall, remember } from '../bounded-map.ts';
import { childOf, type StreamLine } from './state.ts';
import { messageUsage } from './usage.ts';

/** Several lines may be of one message, each with one of its blocks. */
export function readAssistant(place: StreamLine): void {
  const { state, record, line, session, subagent, send } = place;
  const message = asObject(record.message);
  if (message === undefined || isDelta(record)) return;
  const isProgram = message.model === '<synthetic>';
  const failed = asText(record.error) !== undefined;
  if (isProgram && !failed) return;
  const model = isProgram ? undefined : (asText(message.model) ?? state.model);
  const messageId = asText(message.id) ?? `line-${line}`;
  const blocks = asObjects(message.content);
  const text = contentText(message.content);
  state.messages += 1;
  if (!subagent) state.said = text !== '';
  const usage = messageUsage(state.agent, message.usage);
  if (usage !== undefined) remember(state.pending, messageId, { session, model, usage });
  if (!subagent) remember(state.latest, model ?? '', messageId);
  const stop = failed ? 'error' : stopOf(message, blocks);
  send({ kind: 'reply', messageId, text, usageElsewhere: true, ...defined({ model, stop }) });
  for (const block of blocks) if (asText(block.type)?.endsWith('tool_use')) readCall(place, block);
}

/** Pieces of a message that is printed again as a whole. */
function isDelta(record: JsonObject): boolean {
  return typeof record.timestamp_ms === 'number' && asText(record.model_call_id) === undefined;
}

const STOPS: ReadonlyMap<unknown, ReplyEvent['stop']> = new Map([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_use', 'tool'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
]);

function stopOf(message: JsonObject, blocks: readonly JsonObject[]): ReplyEvent['stop'] {
  return (
    STOPS.get(message.stop_reason) ?? (blocks.some(({ type }) => type === 'tool_use') ? 'tool' : undefined)
  );
}

const SPAWNING = /^(?:task|agent|oracle)$/i;

function readCall({ state, session, send }: StreamLine, block: JsonObject): void {
  const callId = asText(block.id);
  if (callId === undefined || recall(state.calls, callId) !== undefined) return;
  const tool = asText(block.name) ?? 'unknown';
  remember(state.calls, callId, tool);
  send({ kind: 'call', callId, tool, input: block.input ?? null });
  if (SPAWNING.test(tool)) send({ kind: 'spawn', spawnId: callId, sessionId: childOf(session, callId) });
}

/** The prompt itself is printed by some agents only. */
export function readUser(place: StreamLine): void {
  const { record, subagent, send } = place;
  const content = asObject(record.message)?.content;
  for (const block of asObjects(asArray(content))) if (block.type === 'tool_result') readResult(place, block);
  const text = contentText(content);
  if (text === '') return;
  if (text.startsWith('[Request interrupted by user')) {
    send({ kind: 'interrupt' });
    return;
  }
  const kind = asText(asObject(record.origin)?.kind);
  const isRuntime = record.isSynthetic === true || (kind !== undefined && kind !== 'human');
  send({ kind: 'user', origin: isRuntime ? 'runtime' : subagent ? 'subagent' : 'user', text });
}

function readResult({ state, record, send }: StreamLine, block: JsonObject): void {
  const callId = asText(block.tool_use_id);
  if (callId === undefined) return;
  const text = contentText(block.content);
  const isRunning = asObject(record.tool_use_result)?.status === 'async_launched';
  const outcome = isRunning ? { running: true } : outcomeOf(block, text);
  send({ kind: 'result', callId, ...outcome, text: cutText(text) });
  if (SPAWNING.test(recall(state.calls, callId) ?? '') && 'ok' in outcome && outcome.ok !== undefined)
    send({ kind: 'spawn', spawnId: callId, ok: outcome.ok });
}

/** Nobody is there to ask, so that what is not allowed beforehand is refused; a program may ask somebody instead. */
const FORBIDDEN =
  /^(?:Permission to use .* has been denied|Claude requested permissions? to|Qwen Code requires permission to|This command requires approval)/;
const DENIED = /^The user doesn't want to/;

function outcomeOf(block: JsonObject, text: string): Pick<ResultEvent, 'ok' | 'denied' | 'byRule'> {
  if (block.is_error !== true) return { ok: true };
  if (FORBIDDEN.test(text)) return { denied: true, byRule: true };
  return DENIED.test(text) ? { denied: true } : { ok: false };
}
