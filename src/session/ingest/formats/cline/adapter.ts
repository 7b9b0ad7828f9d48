/**
 * Tasks of Cline and of Roo Code: messages in the words of the Anthropic API, older ones with calls as tags in the text.
 * What was used, and how the task stands, is written beside them. What a compaction hides stays in the file and counts once.
 */
import type { UnplacedEvent } from '../../../event.ts';
import {
  asCost,
  asObject,
  asObjects,
  asText,
  asTime,
  contentText,
  defined,
  type JsonObject,
  usageOf,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { type ClineState, callsOf, readResults, wordsOf } from './calls.ts';
import { sidecar } from './sidecar.ts';
import { isTaggedText, typedText } from './typed-text.ts';

function step(state: ClineState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const send = (event: UnplacedEvent): void => emit(placeEvent(event, { line, at: asTime(fields.ts) }));
  if (fields.isSummary === true || fields.isTruncationMarker === true) {
    send({ kind: 'compaction' });
    return undefined;
  }
  switch (fields.role) {
    case 'user':
      readUser(state, fields, send);
      return undefined;
    case 'assistant':
      readReply(state, fields, line, send);
      return undefined;
    default:
      return readHeader(state, fields, send);
  }
}

function readHeader(
  state: ClineState,
  fields: JsonObject,
  send: (event: UnplacedEvent) => void,
): string | undefined {
  // Roo Code keeps thoughts that belong to the next message.
  if (fields.type === 'reasoning') return undefined;
  if (asText(fields.agent) === undefined) return asText(fields.role) ?? '(no role)';
  state.subagent = fields.agent === 'subagent';
  const trigger = state.subagent ? ('subagent' as const) : undefined;
  send({ kind: 'session', agent: 'cline', ...defined({ sessionId: asText(fields.sessionId), trigger }) });
  return undefined;
}

function readUser(state: ClineState, { content }: JsonObject, send: (event: UnplacedEvent) => void): void {
  const rest = readResults(state, content, send);
  const { text, typed } = typedText(rest);
  if (text !== '')
    send({ kind: 'user', origin: state.subagent ? 'subagent' : typed ? 'user' : 'runtime', text });
}

function readReply(
  state: ClineState,
  fields: JsonObject,
  line: number,
  send: (event: UnplacedEvent) => void,
): void {
  const about = asObject(fields.modelInfo);
  const counts = asObject(fields.metrics);
  const calls = callsOf(fields.content, line);
  const usage = usageOf(
    counts?.inputTokens,
    counts?.outputTokens,
    counts?.cacheReadTokens,
    counts?.cacheWriteTokens,
  );
  send({
    kind: 'reply',
    text: wordsOf(fields.content),
    ...defined({
      messageId: asText(fields.id),
      model: asText(about?.id) ?? asText(about?.modelId),
      provider: asText(about?.provider) ?? asText(about?.providerId),
      usage,
      costUsd: asCost(counts?.cost, usage),
      stop: calls.length > 0 ? ('tool' as const) : undefined,
    }),
    // Counted beside the messages, or with the last one of a turn.
    ...(usage === undefined && { usageElsewhere: true as const }),
  });
  for (const { callId, tool, input } of calls) {
    state.tagged = callId.startsWith('line-') ? { callId, tool } : undefined;
    send({ kind: 'call', callId, tool, input });
  }
}

function* elements(document: unknown): Iterable<unknown> {
  if (Array.isArray(document)) {
    yield* document;
    return;
  }
  const { messages, agent, sessionId } = asObject(document) ?? {};
  yield { agent, sessionId };
  yield* asObjects(messages);
}

function detect({ records, document }: Sample): boolean {
  const [first] = records;
  if (!document) return false;
  if (Array.isArray(first)) return asObjects(first.slice(0, 4)).some(isTaskMessage);
  const fields = asObject(first) ?? {};
  const isKnown = ['lead', 'subagent', 'teammate'].includes(String(fields.agent));
  return (
    fields.version === 1 &&
    isKnown &&
    asText(fields.sessionId) !== undefined &&
    Array.isArray(fields.messages)
  );
}

/** Any program keeps messages like these; the tags around what is asked are its own. */
function isTaskMessage({ role, content }: JsonObject): boolean {
  return role === 'user' && isTaggedText(contentText(content));
}

export const clineAdapter: Adapter<ClineState> = {
  detect,
  start: () => ({ subagent: false, tagged: undefined }),
  step,
  elements,
  sidecar,
};
