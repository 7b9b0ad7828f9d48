/** Messages of the CLI. */
import type { ResultEvent } from '../../../event.ts';
import {
  asArray,
  asObject,
  asObjects,
  asText,
  asTime,
  contentText,
  cutText,
  defined,
  type JsonObject,
  shown,
} from '../../json/json-fields.ts';
import type { CursorLine } from './adapter.ts';
import { typedText } from './typed-text.ts';

export function readChat({ state, send }: CursorLine, about: JsonObject): undefined {
  state.session = asText(about.agentId);
  state.model = asText(about.lastUsedModel);
  const { session: sessionId, model } = state;
  send({ kind: 'session', agent: 'cursor', ...defined({ sessionId, model }) }, asTime(about.createdAt));
}

export function readChatMessage(place: CursorLine, message: JsonObject): string | undefined {
  switch (message.role) {
    case 'user':
      readUser(place, message);
      return undefined;
    case 'assistant':
      readReply(place, message);
      return undefined;
    case 'tool':
      for (const block of asObjects(asArray(message.content))) readResult(place, block);
      return undefined;
    case 'system':
      return undefined;
    default:
      return asText(message.role);
  }
}

function readUser({ send }: CursorLine, { content }: JsonObject): void {
  const { text, typed } = typedText(contentText(content));
  if (text !== '') send({ kind: 'user', origin: typed ? 'user' : 'runtime', text });
}

function readReply({ state, line, send }: CursorLine, { content }: JsonObject): void {
  const calls = asObjects(asArray(content)).filter(({ type }) => type === 'tool-call');
  const stop = calls.length > 0 ? ('tool' as const) : undefined;
  send({ kind: 'reply', text: contentText(content), ...defined({ model: state.model, stop }) });
  calls.forEach((call, index) => {
    const callId = asText(call.toolCallId) ?? `line-${line}/${index}`;
    send({ kind: 'call', callId, tool: asText(call.toolName) ?? 'unknown', input: call.args ?? null });
  });
}

function readResult({ send }: CursorLine, block: JsonObject): void {
  const callId = asText(block.toolCallId);
  if (callId === undefined) return;
  const text = contentText(block.result) || (shown(block.result) ?? '');
  send({ kind: 'result', callId, ...outcomeOf(block), text: cutText(text) });
}

/** Where nothing is marked the text tells. */
function outcomeOf(block: JsonObject): Pick<ResultEvent, 'ok'> {
  const code = asObject(block.result)?.exitCode;
  if (typeof code === 'number') return { ok: code === 0 };
  return block.isError === true ? { ok: false } : {};
}
