/** What the messages of tau-bench and tau2-bench have in common. */
import type { EndReason } from '../../../event.ts';
import {
  asArray,
  asId,
  asObject,
  asText,
  contentText,
  cutText,
  type JsonObject,
  parsed,
} from '../../json/json-fields.ts';
import type { Emit } from '../format.ts';

/** The simulated person ends a conversation with one of these words; they are for the simulator, not for the agent. */
const SIGNAL = /###(?:STOP|TRANSFER|OUT-OF-SCOPE)###/g;

/** Both benchmarks answer a failed call with a text that begins so; neither says it otherwise in all versions. */
const FAILED = /^\s*(?:Error\b|Unknown action\b)/;

/** Where the events of a run go: its session, and the number of the message among all messages of the file. */
export type MessagePlace = { readonly session: string; readonly line: number; readonly at?: number };

/** What became of a run, 0–1. */
export type RunLabel = { readonly sessionId: string; readonly outcome: number; readonly task?: string };

/** How often an id was used so far, this time included: a file joined from several has some twice. */
export function claim(ids: Record<string, number>, id: string): number {
  const times = (ids[`id ${id}`] ?? 0) + 1;
  ids[`id ${id}`] = times;
  return times;
}

export function withoutSignals(text: string): string {
  return text.replace(SIGNAL, '').trim();
}

export function endsConversation(text: string): boolean {
  return /###(?:STOP|TRANSFER|OUT-OF-SCOPE)###/.test(text);
}

/** A turn of the person. A message that only carries a signal is none. */
export function emitTurn(content: unknown, place: MessagePlace, emit: Emit): void {
  const text = withoutSignals(contentText(content));
  const { session, ...at } = place;
  if (text !== '') emit({ kind: 'user', origin: 'user', text, ...at }, session);
}

/** The calls of an assistant message in either spelling; returns their ids. */
export function emitCalls(message: JsonObject, place: MessagePlace, emit: Emit): string[] {
  const { session, ...at } = place;
  const legacy = asObject(message.function_call);
  const calls = [...asArray(message.tool_calls), ...(legacy === undefined ? [] : [legacy])];
  return calls.flatMap((value, index) => {
    const call = asObject(value);
    const called = asObject(call?.function) ?? call;
    const tool = asText(called?.name);
    if (call === undefined || tool === undefined || call.requestor === 'user') return [];
    const callId = asId(call.id) ?? `${place.line}.${index + 1}`;
    emit({ kind: 'call', callId, tool, input: parsed(called?.arguments), ...at }, session);
    return [callId];
  });
}

/** The answer to a call. `error` is the format's own word, where it has one. */
export function emitResult(
  callId: string,
  content: unknown,
  error: unknown,
  place: MessagePlace,
  emit: Emit,
): void {
  const { session, ...at } = place;
  const text = contentText(content);
  const failed = typeof error === 'boolean' ? error : FAILED.test(text);
  emit({ kind: 'result', callId, ok: !failed, text: cutText(text), ...at }, session);
}

export function emitEnd(reason: EndReason, place: MessagePlace, emit: Emit): void {
  const { session, ...at } = place;
  emit({ kind: 'end', reason, ...at }, session);
}
