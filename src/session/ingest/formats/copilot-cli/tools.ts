/** What the model says and calls, and what became of the calls. */
import type { ResultEvent } from '../../../event.ts';
import {
  asArray,
  asObject,
  asObjects,
  asText,
  cutText,
  defined,
  type JsonObject,
  parsed,
  shown,
} from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import type { CopilotLine } from './adapter.ts';

export function readMessage(place: CopilotLine): void {
  const { state, data, id, send } = place;
  const requests = asObjects(data.toolRequests);
  send({
    kind: 'reply',
    text: asText(data.content) ?? '',
    usageElsewhere: true,
    stop: requests.length > 0 ? 'tool' : 'end',
    ...defined({ messageId: asText(data.messageId) ?? id, model: asText(data.model) ?? state.model }),
  });
  for (const request of requests) readCall(place, request.toolCallId, request.name, request.arguments);
}

/** Calls stand in the message as well as at their start; older versions write only one of them. */
export function readStart(place: CopilotLine): void {
  readCall(place, place.data.toolCallId, place.data.toolName, place.data.arguments);
}

const MAX_PENDING = 64;

function readCall({ state, child, send }: CopilotLine, id: unknown, name: unknown, input: unknown): void {
  const callId = asText(id);
  if (callId === undefined || state.calls.get(callId) !== undefined) return;
  remember(state.calls, callId, 'asked');
  if (child === undefined) state.pending = [...state.pending.slice(1 - MAX_PENDING), callId];
  send({ kind: 'call', callId, tool: asText(name) ?? 'unknown', input: parsed(input) ?? null });
}

export function readRequest({ state, data }: CopilotLine): void {
  const request = asText(data.requestId);
  const call = asText(asObject(data.permissionRequest)?.toolCallId) ?? asText(data.toolCallId);
  if (request !== undefined && call !== undefined) remember(state.requests, request, call);
}

/** A refusal is told by the answer to the question, with what the person said; the call itself then merely fails. */
export function readPermission({ state, data, send }: CopilotLine): void {
  const call = asText(data.toolCallId) ?? state.requests.get(asText(data.requestId) ?? '');
  const answer = asObject(data.result);
  const kind = asText(answer?.kind) ?? '';
  if (call === undefined || !kind.startsWith('denied')) return;
  remember(state.calls, call, 'denied');
  const byRule = kind.includes('by-user') ? undefined : (true as const);
  send({
    kind: 'result',
    callId: call,
    denied: true,
    ...defined({ byRule, reason: asText(answer?.feedback) }),
  });
}

/** What was executed was called, though the file began later or has lost that line. */
export function readComplete(place: CopilotLine): void {
  const { state, data, send } = place;
  const callId = asText(data.toolCallId);
  if (callId === undefined) return;
  readCall(place, callId, data.toolName, undefined);
  state.pending = state.pending.filter((one) => one !== callId);
  const result = asObject(data.result);
  const text = shown(result?.content) ?? asText(asObject(data.error)?.message) ?? '';
  const outcome = state.calls.get(callId) === 'denied' ? { denied: true } : outcomeOf(data, result);
  send({ kind: 'result', callId, ...outcome, text: cutText(text) });
}

/** A command that fails is a success of its tool: its exit code tells. */
function outcomeOf(data: JsonObject, result: JsonObject | undefined): Pick<ResultEvent, 'ok' | 'denied'> {
  const code = asText(asObject(data.error)?.code);
  if (code === 'denied' || code === 'rejected') return { denied: true };
  if (typeof data.success !== 'boolean') return {};
  const failed = asArray(result?.contents).some((content) => {
    const exit = asObject(content)?.exitCode;
    return typeof exit === 'number' && exit !== 0;
  });
  return { ok: data.success && !failed };
}
