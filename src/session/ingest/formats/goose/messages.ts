/** Messages of Goose. What a tool answered stands in a message in the name of the user. */
import type { ResultEvent, UnplacedEvent } from '../../../event.ts';
import {
  asObject,
  asObjects,
  asText,
  contentText,
  cutText,
  defined,
  type JsonObject,
  shown,
} from '../../json/json-fields.ts';
import type { GooseState } from './adapter.ts';

type Send = (event: UnplacedEvent) => void;

const KNOWN =
  /^(?:text|image|thinking|redactedThinking|reasoning|toolRequest|toolResponse|toolConfirmationRequest|frontendToolRequest|actionRequired|systemNotification|contextLengthExceeded|summarizationRequested)$/;

export function readMessage(
  state: GooseState,
  message: JsonObject,
  line: number,
  send: Send,
): string | undefined {
  const blocks = asObjects(message.content);
  const about = asObject(message.metadata);
  const isHidden = about?.userVisible === false && about.agentVisible === true;
  // A summary takes the place of what is hidden from the model from then on.
  if (isHidden && !state.hidden) send({ kind: 'compaction' });
  state.hidden = isHidden;
  for (const block of blocks) if (block.type === 'toolResponse') readResponse(block, send);
  if (message.role === 'user') readUser(state, blocks, isHidden, send);
  else if (message.role === 'assistant') readReply(state, message, blocks, isHidden, line, send);
  else return asText(message.role);
  const strange = blocks.find(({ type }) => !KNOWN.test(asText(type) ?? ''));
  return strange === undefined ? undefined : `content ${asText(strange.type) ?? '(no type)'}`;
}

function readUser(state: GooseState, blocks: readonly JsonObject[], isHidden: boolean, send: Send): void {
  const text = contentText(blocks);
  const origin = isHidden ? 'runtime' : state.subagent ? 'subagent' : 'user';
  if (text !== '') send({ kind: 'user', origin, text });
}

function readReply(
  state: GooseState,
  message: JsonObject,
  blocks: readonly JsonObject[],
  isHidden: boolean,
  line: number,
  send: Send,
): void {
  const requests = blocks.filter(({ type }) => /ToolRequest$|^toolRequest$/.test(asText(type) ?? ''));
  const text = isHidden ? '' : contentText(blocks);
  const stop = requests.length > 0 ? ('tool' as const) : undefined;
  const { model, provider } = state;
  // The pieces of a message that is printed have its id.
  const messageId = asText(message.id);
  if (text !== '' || requests.length > 0)
    send({ kind: 'reply', text, usageElsewhere: true, ...defined({ messageId, model, provider, stop }) });
  requests.forEach((request, index) => {
    const callId = asText(request.id) ?? `line-${line}/${index}`;
    const call = asObject(request.toolCall);
    const value = asObject(call?.value) ?? {};
    send({ kind: 'call', callId, tool: asText(value.name) ?? 'unknown', input: value.arguments ?? null });
    // The model asked for something that cannot be called.
    if (call?.status === 'error')
      send({ kind: 'result', callId, ok: false, text: cutText(shown(call.error) ?? '') });
  });
}

function readResponse(block: JsonObject, send: Send): void {
  const callId = asText(block.id);
  if (callId === undefined) return;
  const result = asObject(block.toolResult);
  const value = asObject(result?.value);
  // Before 1.11 the value was the content itself.
  const text = contentText(value?.content ?? result?.value) || (shown(result?.error) ?? '');
  send({ kind: 'result', callId, ...outcomeOf(result, value, text), text: cutText(text) });
}

const DENIED = /^The user has declined to run this tool/;

/** There is no exit code: where nothing is marked, the text tells. */
function outcomeOf(
  result: JsonObject | undefined,
  value: JsonObject | undefined,
  text: string,
): Pick<ResultEvent, 'ok' | 'denied'> {
  if (DENIED.test(text)) return { denied: true };
  return result?.status === 'error' || value?.isError === true ? { ok: false } : {};
}
