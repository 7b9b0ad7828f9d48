/**
 * Sessions of Continue: one document, rewritten as it grows. Messages have no times, and no ends; the tokens are those of the
 * whole session, where the CLI wrote them.
 */
import type { ResultEvent, UnplacedEvent } from '../../../event.ts';
import {
  asCost,
  asObject,
  asObjects,
  asText,
  contentText,
  cutText,
  defined,
  type JsonObject,
  parsed,
  usageOf,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';

type State = { session: string | undefined; model: string | undefined };
type Send = (event: UnplacedEvent) => void;

function step(state: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const send: Send = (event) => emit(placeEvent(event, { line }), state.session);
  const message = asObject(fields.message);
  if (message === undefined) return readSession(state, fields, send);
  if (asText(fields.conversationSummary) !== undefined) send({ kind: 'compaction' });
  switch (message.role) {
    case 'user': {
      const text = contentText(message.content);
      if (text !== '') send({ kind: 'user', origin: 'user', text });
      return undefined;
    }
    case 'assistant':
      readReply(state, fields, message, line, send);
      return undefined;
    case 'tool':
      readAnswer(message, send);
      return undefined;
    case 'system':
    case 'thinking':
      return undefined;
    default:
      return asText(message.role) ?? '(no role)';
  }
}

/** Whether cached tokens are part of the prompt depends on who sells the model. */
function readSession(state: State, fields: JsonObject, send: Send): string | undefined {
  state.session = asText(fields.sessionId);
  if (state.session === undefined) return '(no message)';
  const counts = asObject(fields.usage);
  const details = asObject(counts?.promptTokensDetails);
  const usage =
    counts &&
    usageOf(counts.promptTokens, counts.completionTokens, details?.cachedTokens, details?.cacheWriteTokens);
  const project = asText(fields.workspaceDirectory);
  const costUsd = asCost(counts?.totalCost, usage);
  send({
    kind: 'session',
    agent: 'continue',
    sessionId: state.session,
    ...defined({ project, usage, costUsd }),
  });
  state.model = asText(fields.chatModelTitle);
  return undefined;
}

function readReply(state: State, fields: JsonObject, message: JsonObject, line: number, send: Send): void {
  const states = asObjects(fields.toolCallStates);
  const calls =
    states.length > 0 ? states.map(({ toolCall }) => asObject(toolCall) ?? {}) : asObjects(message.toolCalls);
  const model = asText(asObjects(fields.promptLogs).at(-1)?.modelTitle) ?? state.model;
  const stop = calls.length > 0 ? ('tool' as const) : undefined;
  const text = contentText(message.content);
  send({ kind: 'reply', text, usageElsewhere: true, ...defined({ model, stop }) });
  calls.forEach((call, index) => {
    const about = states[index];
    const named = asObject(call.function);
    const callId = asText(call.id) ?? asText(about?.toolCallId) ?? `line-${line}/${index}`;
    const input = about?.parsedArgs ?? parsed(named?.arguments) ?? null;
    send({ kind: 'call', callId, tool: asText(named?.name) ?? 'unknown', input });
    if (about !== undefined) send({ kind: 'result', callId, ...outcomeOf(about) });
  });
}

/** Where nothing failed outright, the text tells: a command that fails is done. */
function outcomeOf(about: JsonObject): Pick<ResultEvent, 'ok' | 'denied' | 'running' | 'text'> {
  const text = cutText(
    asObjects(about.output)
      .map(({ content }) => contentText(content))
      .join('\n'),
  );
  switch (about.status) {
    case 'done':
      return { text };
    case 'errored':
      return { ok: false, text };
    case 'canceled':
      return { denied: true, text };
    default:
      return { running: true };
  }
}

/** Versions without states of calls have the answer in a message of its own. */
function readAnswer(message: JsonObject, send: Send): void {
  const callId = asText(message.toolCallId);
  if (callId === undefined) return;
  const text = contentText(message.content);
  const denied = /^Permission denied by user/.test(text) ? { denied: true } : {};
  send({ kind: 'result', callId, ...denied, text: cutText(text) });
}

function* elements(document: unknown): Iterable<unknown> {
  const { history, ...session } = asObject(document) ?? {};
  yield session;
  yield* asObjects(history);
}

function detect({ records, document }: Sample): boolean {
  const fields = document ? asObject(records[0]) : undefined;
  if (asText(fields?.sessionId) === undefined || !Array.isArray(fields?.history)) return false;
  const isPlaced = typeof fields.workspaceDirectory === 'string' && typeof fields.title === 'string';
  return isPlaced && asObjects(fields.history).every((item) => asObject(item.message) !== undefined);
}

export const continueAdapter: Adapter<State> = {
  detect,
  start: () => ({ session: undefined, model: undefined }),
  step,
  elements,
};
