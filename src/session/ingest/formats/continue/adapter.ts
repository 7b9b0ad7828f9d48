/**
 * Sessions of Continue: one document, rewritten as it grows. Messages have no times, and no ends; when a session began stands in a
 * list of all of them. The tokens are those of the whole session, where the CLI wrote them.
 */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ResultEvent, UnplacedEvent } from '../../../event.ts';
import { jsonBeside } from '../../files/json-beside.ts';
import { stemOf } from '../../files/name-by-file.ts';
import {
  asCost,
  asObject,
  asObjects,
  asText,
  asTime,
  contentText,
  cutText,
  defined,
  type JsonObject,
  parsed,
  usageOf,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';

type State = { session: string | undefined; model: string | undefined; begunAt: number | undefined };
type Send = (event: UnplacedEvent) => void;

function step(state: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const message = asObject(fields.message);
  const at = message === undefined ? state.begunAt : undefined;
  const send: Send = (event) => emit(placeEvent(event, { line, at }), state.session);
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
  const session = asText(fields.sessionId);
  if (session === undefined) return '(no message)';
  state.session = session;
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

/** A session is in the list from its beginning, and stays as it is there: a list that grows is no reason to read it again. */
function start({ path }: FileInfo): State {
  const begunAt = asTime(created(beginnings(dirname(path)).get(stemOf(path))));
  return { session: undefined, model: undefined, begunAt };
}

let listed: { readonly key: string; readonly beginnings: ReadonlyMap<unknown, unknown> } | undefined;

/** One list for all sessions of a folder: it is read once for them. */
function beginnings(folder: string): ReadonlyMap<unknown, unknown> {
  const path = join(folder, 'sessions.json');
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const key = `${path} ${stats?.size} ${stats?.mtimeMs}`;
  if (listed?.key !== key) {
    const found = asObjects(jsonBeside(path)).map((one) => [one.sessionId, one.dateCreated] as const);
    listed = { key, beginnings: new Map(found) };
  }
  return listed.beginnings;
}

/** Milliseconds, as a number or as its digits. */
function created(stamp: unknown): unknown {
  return typeof stamp === 'string' && /^\d{12,14}$/.test(stamp) ? Number(stamp) : stamp;
}

export const continueAdapter: Adapter<State> = {
  detect,
  start,
  step,
  elements,
};
