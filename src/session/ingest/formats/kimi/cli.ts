/** Messages on the wire of the Kimi CLI. What a sub-agent does is repeated here and read from its own file. */
import {
  asObject,
  asText,
  contentText,
  cutText,
  defined,
  type JsonObject,
  parsed,
  shown,
} from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import { type KimiState, kimiOutcome, kimiUsage, type SendKimi } from './state.ts';

type Reader = (state: KimiState, payload: JsonObject, send: SendKimi, line: number) => void;

const ignore: Reader = () => {};

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['TurnBegin', readInput],
  ['SteerInput', readInput],
  ['TurnEnd', (_, __, send) => send({ kind: 'end', reason: 'normal' })],
  ['StepBegin', beginStep],
  ['StepInterrupted', (_, __, send) => send({ kind: 'interrupt' })],
  ['ContentPart', readPart],
  ['ToolCall', readCall],
  ['ToolCallPart', growCall],
  ['ToolResult', readResult],
  ['StatusUpdate', readStatus],
  ['ApprovalRequest', readRequest],
  ['ApprovalResponse', readResponse],
  ['ApprovalRequestResolved', readResponse],
  ['CompactionEnd', (_, __, send) => send({ kind: 'compaction' })],
  ...'CompactionBegin StepRetry SubagentEvent HookTriggered HookResolved'
    .split(' ')
    .map((type): [string, Reader] => [type, ignore]),
]);

export const CLI_TYPES: ReadonlySet<string> = new Set(READERS.keys());

export function readCliMessage(
  state: KimiState,
  message: JsonObject,
  line: number,
  send: SendKimi,
): string | undefined {
  const type = asText(message.type);
  if (type !== 'ToolCallPart') flushCall(state, send);
  const reader = type === undefined ? undefined : READERS.get(type);
  if (reader === undefined) return type ?? '(no type)';
  reader(state, asObject(message.payload) ?? {}, send, line);
  return undefined;
}

/** A call is told when its arguments are whole. */
export function flushCall(state: KimiState, send: SendKimi): void {
  const { growing } = state;
  if (growing === undefined) return;
  state.growing = undefined;
  const { callId, tool, input } = growing;
  send({ kind: 'call', callId, tool, input: parsed(input) });
}

function readInput(state: KimiState, payload: JsonObject, send: SendKimi): void {
  send({ kind: 'user', origin: state.subagent ? 'subagent' : 'user', text: contentText(payload.user_input) });
}

function beginStep(state: KimiState): void {
  state.steps += 1;
}

function readPart(state: KimiState, payload: JsonObject, send: SendKimi): void {
  const text = payload.type === 'text' ? asText(payload.text) : undefined;
  if (text !== undefined) send({ kind: 'reply', text, messageId: `step ${state.steps}` });
}

function readCall(state: KimiState, payload: JsonObject, _: SendKimi, line: number): void {
  const called = asObject(payload.function);
  state.growing = {
    callId: asText(payload.id) ?? `line-${line}`,
    tool: asText(called?.name) ?? 'unknown',
    input: asText(called?.arguments) ?? '',
  };
}

function growCall({ growing }: KimiState, payload: JsonObject): void {
  if (growing !== undefined) growing.input += asText(payload.arguments_part) ?? '';
}

function readResult(state: KimiState, payload: JsonObject, send: SendKimi, line: number): void {
  const callId = asText(payload.tool_call_id) ?? `line-${line}`;
  const value = asObject(payload.return_value);
  const isDenied = state.denied.get(callId) !== undefined;
  const text = cutText(shown(value?.output) || asText(value?.message) || '');
  send({ kind: 'result', callId, ...(isDenied ? { denied: true } : kimiOutcome(value, 'is_error')), text });
}

function readStatus(state: KimiState, payload: JsonObject, send: SendKimi): void {
  const tokens = asObject(payload.token_usage);
  const usage = kimiUsage(
    tokens?.input_other,
    tokens?.output,
    tokens?.input_cache_read,
    tokens?.input_cache_creation,
  );
  if (usage !== undefined)
    send({ kind: 'reply', text: '', messageId: `step ${state.steps}`, ...defined({ usage }) });
}

function readRequest(state: KimiState, payload: JsonObject): void {
  const id = asText(payload.id);
  const call = asText(payload.tool_call_id);
  if (id !== undefined && call !== undefined) remember(state.requests, id, call);
}

function readResponse(state: KimiState, payload: JsonObject, send: SendKimi): void {
  const call = state.requests.get(asText(payload.request_id) ?? '');
  if (call === undefined || payload.response !== 'reject') return;
  remember(state.denied, call, 1);
  send({ kind: 'result', callId: call, denied: true, ...defined({ reason: asText(payload.feedback) }) });
}
