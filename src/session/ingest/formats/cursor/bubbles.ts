/** Sessions of the editor: a bubble is what somebody said, or one call with what became of it. */
import type { ResultEvent, Usage } from '../../../event.ts';
import {
  asCount,
  asObject,
  asText,
  asTime,
  cutText,
  defined,
  isZero,
  type JsonObject,
  parsed,
  shown,
} from '../../json/json-fields.ts';
import type { CursorLine } from './adapter.ts';
import { typedText } from './typed-text.ts';

export function readComposer({ state, send }: CursorLine, composer: JsonObject): undefined {
  if (composer.ended === true) {
    readEnd(composer.status, send);
    return;
  }
  const parent = asText(composer.parent);
  state.session = asText(composer.composerId);
  state.model = modelOf(asObject(composer.modelConfig)?.modelName);
  state.subagent = parent !== undefined;
  const { session: sessionId, model } = state;
  const served = parent === undefined ? {} : { parentSessionId: parent, trigger: 'subagent' as const };
  send(
    {
      kind: 'session',
      agent: 'cursor',
      ...served,
      ...defined({ sessionId, model, costUsd: costOf(composer) }),
    },
    asTime(composer.createdAt),
  );
}

function readEnd(status: unknown, send: CursorLine['send']): void {
  if (status === 'completed') send({ kind: 'end', reason: 'normal' });
  else if (status === 'error') send({ kind: 'end', reason: 'error' });
  else if (status === 'aborted') send({ kind: 'interrupt' });
}

/** `default` is whichever the editor chose. */
function modelOf(name: unknown): string | undefined {
  return name === 'default' ? undefined : asText(name);
}

/** What it cost by model, in cents; newer versions leave it empty. */
function costOf(composer: JsonObject): number | undefined {
  const cents = Object.values(asObject(composer.usageData) ?? {}).map(
    (one) => asCount(asObject(one)?.costInCents) ?? 0,
  );
  const sum = cents.reduce((total, one) => total + one, 0);
  return sum > 0 ? sum / 100 : undefined;
}

export function readBubble(place: CursorLine, bubble: JsonObject): string | undefined {
  const { state, send } = place;
  const at = asTime(bubble.createdAt) ?? asTime(asObject(bubble.timingInfo)?.clientStartTime);
  if (bubble.type === 1) {
    const { text, typed } = typedText(asText(bubble.text) ?? '');
    const origin = state.subagent ? 'subagent' : typed ? 'user' : 'runtime';
    if (text !== '') send({ kind: 'user', origin, text }, at);
    return undefined;
  }
  if (bubble.type !== 2) return `bubble ${String(bubble.type)}`;
  readReply(place, bubble, at);
  return undefined;
}

function readReply(place: CursorLine, bubble: JsonObject, at: number | undefined): void {
  const { state, send } = place;
  const call = asObject(bubble.toolFormerData);
  const text = asText(bubble.text) ?? '';
  const usage = usageOf(bubble.tokenCount);
  const failed = bubble.errorDetails !== undefined && bubble.errorDetails !== null;
  const model = modelOf(asObject(bubble.modelInfo)?.modelName) ?? state.model;
  const stop = failed ? ('error' as const) : call === undefined ? undefined : ('tool' as const);
  // A bubble that only thinks is part of the next one.
  if (text !== '' || usage !== undefined || failed)
    send({ kind: 'reply', text, ...defined({ messageId: asText(bubble.bubbleId), model, usage, stop }) }, at);
  if (call !== undefined) readCall(place, call, at);
}

/** Whether a part of the input was cached is not told. */
function usageOf(value: unknown): Usage | undefined {
  const fields = asObject(value);
  const [input, output] = [asCount(fields?.inputTokens), asCount(fields?.outputTokens)];
  if (input === undefined || output === undefined) return undefined;
  const usage = { input, output, cacheRead: 0, cacheWrite: 0 };
  return isZero(usage) ? undefined : usage;
}

function readCall({ line, send }: CursorLine, call: JsonObject, at: number | undefined): void {
  const callId = asText(call.toolCallId) ?? `line-${line}`;
  const tool = (asText(call.name) ?? 'unknown').replace(/_v\d+$/, '');
  send({ kind: 'call', callId, tool, input: parsed(call.params ?? call.rawArgs) ?? null }, at);
  send({ kind: 'result', callId, ...outcomeOf(call) }, at);
}

function outcomeOf(call: JsonObject): Pick<ResultEvent, 'ok' | 'denied' | 'running' | 'text'> {
  const result = asObject(parsed(call.result));
  const text = cutText(shown(call.error) ?? shown(result?.output ?? result?.contents ?? call.result) ?? '');
  if (call.userDecision === 'rejected' || result?.rejected === true) return { denied: true, text };
  switch (call.status) {
    case 'error':
      return { ok: false, text };
    case 'completed': {
      const code = result?.exitCode ?? result?.exitCodeV2;
      return { ok: typeof code !== 'number' || code === 0, text };
    }
    // Stopped with everything else.
    case 'cancelled':
      return { denied: true, text };
    default:
      return { running: true };
  }
}
