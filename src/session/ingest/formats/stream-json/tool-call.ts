/** Calls as the Cursor CLI prints them: one object under the name of its tool, with what became of it as a union. */
import type { ResultEvent } from '../../../event.ts';
import { asObject, asText, cutText, type JsonObject, parsed, shown } from '../../json/json-fields.ts';
import { recall, remember } from '../bounded-map.ts';
import type { StreamLine } from './state.ts';

export function readToolCall({ state, record, send }: StreamLine): void {
  const callId = asText(record.call_id);
  const call = asObject(record.tool_call);
  if (callId === undefined || call === undefined) return;
  const { tool, input, result } = readUnion(call);
  if (recall(state.calls, callId) === undefined) {
    remember(state.calls, callId, tool);
    send({ kind: 'call', callId, tool, input });
  }
  if (record.subtype !== 'completed') return;
  send({ kind: 'result', callId, ...outcomeOf(result) });
}

type Union = { readonly tool: string; readonly input: unknown; readonly result: JsonObject | undefined };

function readUnion(call: JsonObject): Union {
  const objects = Object.entries(call).filter(([, value]) => asObject(value) !== undefined);
  const found =
    objects.find(([name]) => name === 'function' || name.endsWith('ToolCall')) ??
    objects.find(([name]) => name !== 'result');
  const body = asObject(found?.[1]) ?? {};
  const result = asObject(body.result) ?? asObject(call.result);
  if (found?.[0] === 'function')
    return { tool: asText(body.name) ?? 'unknown', input: parsed(body.arguments) ?? null, result };
  const args = asObject(body.args);
  const tool = asText(args?.toolName) ?? (found?.[0] ?? 'unknown').replace(/ToolCall$/, '');
  return { tool, input: body.args ?? null, result };
}

/** A command that fails is still a success of its tool. */
function outcomeOf(result: JsonObject | undefined): Pick<ResultEvent, 'ok' | 'denied' | 'byRule' | 'text'> {
  if (result === undefined) return {};
  const text = cutText(shown(result) ?? '');
  // Nobody is there to ask.
  if (result.rejected !== undefined) return { denied: true, byRule: true, text };
  const success = asObject(result.success);
  if (success === undefined) return { ok: false, text };
  const said = [success.stdout, success.stderr].filter((one) => typeof one === 'string').join('\n');
  const ok = typeof success.exitCode !== 'number' || success.exitCode === 0;
  return { ok, text: said === '' ? text : cutText(said) };
}
