/**
 * Sessions of Continue: one document, rewritten as it grows. Messages have no times, and no ends; the start of a
 * session is in an index of all sessions. Tokens are those of the whole session, where the CLI wrote them.
 */
import { dirname, join } from 'node:path';
import { stemOf } from '../files/name-by-file.ts';
import { readJson } from '../files/read-json.ts';
import {
  asCost,
  asObject,
  asObjects,
  asText,
  contentText,
  type JsonObject,
  parsed,
  usageOf,
} from '../json/json-fields.ts';
import {
  type ChatState,
  chatAdapter,
  documentIs,
  type Line,
  type Outcome,
  sendCall,
  sendResult,
} from './chat.ts';

type State = ChatState & { readonly begunAt: unknown };

export const continueAdapter = chatAdapter<State>({
  detect: documentIs(
    ({ sessionId, history, workspaceDirectory, title }) =>
      asText(sessionId) !== undefined &&
      Array.isArray(history) &&
      typeof workspaceDirectory === 'string' &&
      typeof title === 'string' &&
      asObjects(history).every((item) => asObject(item.message) !== undefined),
  ),
  // A session is in the list from its beginning, and stays as it is there: a list that grows is no reason to read it again.
  start: ({ path }) => ({ begunAt: beginningOf(join(dirname(path), 'sessions.json'), stemOf(path)) }),
  elements: function* ({ history, ...session }) {
    yield session;
    yield* asObjects(history);
  },
  times: ({ message }, { begunAt }) => (message === undefined ? [begunAt] : []),
  message: ({ message }) => asObject(message),
  kind: ({ message, sessionId }) =>
    asObject(message) === undefined ? asText(sessionId) && 'header' : asText(asObject(message)?.role),
  before: ({ record, send }) => {
    if (asObject(record.message) !== undefined && asText(record.conversationSummary) !== undefined)
      send({ kind: 'compaction' });
  },
  ignored: 'thinking',
  readers: { header: readHeader, assistant: readReply },
  // Versions without states of calls have the result in a message of its own.
  results: ({ role, toolCallId, content }) => {
    if (role !== 'tool') return [];
    const text = contentText(content);
    return [{ id: toolCallId, denied: /^Permission denied by user/.test(text) || undefined, text }];
  },
});

/** Whether cached tokens are part of the prompt depends on who sells the model. */
function readHeader({ state, record, send }: Line<State>): void {
  state.session = asText(record.sessionId);
  const counts = asObject(record.usage);
  const cached = asObject(counts?.promptTokensDetails);
  const usage =
    counts &&
    usageOf(counts.promptTokens, counts.completionTokens, cached?.cachedTokens, cached?.cacheWriteTokens);
  const project = asText(record.workspaceDirectory);
  const costUsd = asCost(counts?.totalCost, usage);
  send({ kind: 'session', agent: 'continue', sessionId: state.session, project, usage, costUsd });
  state.model = asText(record.chatModelTitle);
}

function readReply({ state, record, line, send }: Line<State>): void {
  const message = asObject(record.message) ?? {};
  const states = asObjects(record.toolCallStates);
  const calls =
    states.length > 0 ? states.map(({ toolCall }) => asObject(toolCall) ?? {}) : asObjects(message.toolCalls);
  const model = asText(asObjects(record.promptLogs).at(-1)?.modelTitle) ?? state.model;
  const stop = calls.length > 0 ? 'tool' : undefined;
  send({ kind: 'reply', text: contentText(message.content), usageElsewhere: true, model, stop });
  calls.forEach((call, index) => {
    const about = states[index];
    const named = asObject(call.function);
    const callId = asText(call.id) ?? asText(about?.toolCallId) ?? `line-${line}/${index}`;
    sendCall(send, callId, named?.name, about?.parsedArgs ?? parsed(named?.arguments));
    if (about !== undefined) sendResult(send, callId, outcomeOf(about));
  });
}

/** Without an explicit failure the text decides: a failed command is reported as done. */
function outcomeOf({ output, status }: JsonObject): Outcome {
  const text = asObjects(output)
    .map(({ content }) => contentText(content))
    .join('\n');
  if (status === 'done') return { text };
  if (status === 'errored') return { ok: false, text };
  return status === 'canceled' ? { denied: true, text } : { running: true };
}

/** Milliseconds, as a number or as its digits. */
function beginningOf(list: string, session: string): unknown {
  const stamp = asObjects(readJson(list)).find(({ sessionId }) => sessionId === session)?.dateCreated;
  return typeof stamp === 'string' && /^\d{12,14}$/.test(stamp) ? Number(stamp) : stamp;
}
