/**
 * Sessions of Cursor from its databases: a session record, then its messages. The editor stores bubbles: a message, or
 * a call with its result. The CLI stores messages in the format of an SDK, without tokens and ends; messages of
 * abandoned branches stay in its store and count.
 */
import type { DatabaseSync } from 'node:sqlite';
import {
  asCount,
  asId,
  asObject,
  asObjects,
  asText,
  contentText,
  type JsonObject,
  parsed,
  shown,
} from '../json/json-fields.ts';
import {
  chatAdapter,
  childOf,
  exited,
  type Line,
  type Outcome,
  type Said,
  sendCall,
  sendEnd,
  sendResult,
  sendUser,
  unlessZero,
  usageApart,
} from './chat.ts';
import {
  databaseSessions,
  isDatabaseWith,
  MAX_ROW_BYTES,
  type RowProblem,
  rowsOf,
} from './database-sessions.ts';
import { textBetween } from './tags.ts';

export const cursorAdapter = chatAdapter({
  // Nothing but its databases is in this format.
  detect: () => false,
  times: ({ createdAt, timingInfo }) => [createdAt, asObject(timingInfo)?.clientStartTime],
  within: (record) => {
    const is = ['composer', 'bubble', 'chat', 'message'].find((name) => asObject(record[name]) !== undefined);
    return [{ ...asObject(record[is ?? '']), is }];
  },
  kind: ({ is, type, role }) =>
    is === 'bubble' ? `bubble ${asId(type) ?? ''}` : asText(is === 'message' ? role : is),
  readers: {
    composer: (line) =>
      line.record.ended === true ? sendEnd(line.send, line.record.status) : readComposer(line),
    'bubble 1': ({ state, record, send }) => {
      const { text, origin } = typedText(asText(record.text) ?? '');
      sendUser(send, text, state.subagent ? 'subagent' : origin);
    },
    'bubble 2': readBubble,
    chat: ({ state, record, send }) => {
      state.session = asText(record.agentId);
      state.model = asText(record.lastUsedModel);
      send({ kind: 'session', agent: 'cursor', sessionId: state.session, model: state.model });
    },
  },
  said: typedText,
  results: ({ content }) =>
    asObjects(content)
      .filter(({ type }) => type === 'tool-result')
      .map(({ toolCallId, result, isError }) => ({
        id: toolCallId,
        // Without a mark the text decides.
        ok: isError === true ? false : undefined,
        ...exited(asObject(result)?.exitCode),
        text: contentText(result) || (shown(result) ?? ''),
      })),
  store: {
    isStore: (path) => isChatStore(path) || isDatabaseWith(path, { cursorDiskKV: ['key', 'value'] }),
    sessions: (path, problem) =>
      isChatStore(path)
        ? databaseSessions(path, problem, {}, (store) => chatsIn(store))
        : databaseSessions(path, problem, { cursorDiskKV: ['key'] }, (store) => composersIn(store, problem)),
  },
});

/** The user's text is between marks among text of the program; a message without marks may be either. */
export function typedText(text: string): Required<Said> {
  const query = textBetween(text, '<user_query>', '</user_query>');
  if (query !== undefined) return { text: query, origin: 'user' };
  return { text, origin: /^\s*<[a-z_-]+>/.test(text) ? 'runtime' : 'user' };
}

function readComposer({ state, record, send }: Line): void {
  const { usageData, modelConfig } = record;
  state.session = asText(record.composerId);
  state.model = modelOf(modelConfig);
  state.subagent = asText(record.parent) !== undefined;
  // What it cost by model, in cents; newer versions leave it empty.
  const cents = asObjects(Object.values(asObject(usageData) ?? {})).map(
    (one) => asCount(one.costInCents) ?? 0,
  );
  const costUsd = cents.reduce((sum, one) => sum + one, 0) / 100 || undefined;
  const about = { sessionId: state.session, model: state.model, costUsd };
  send({ kind: 'session', agent: 'cursor', ...childOf(asText(record.parent)), ...about });
}

/** `default` is whichever the editor chose. */
function modelOf(about: unknown): string | undefined {
  const name = asText(asObject(about)?.modelName);
  return name === 'default' ? undefined : name;
}

function readBubble({ state, record, line, send }: Line): void {
  const call = asObject(record.toolFormerData);
  const text = asText(record.text) ?? '';
  // Whether a part of the input was cached is unknown.
  const { inputTokens, outputTokens } = asObject(record.tokenCount) ?? {};
  const isCounted = asCount(inputTokens) !== undefined && asCount(outputTokens) !== undefined;
  const usage = isCounted ? unlessZero(usageApart(inputTokens, outputTokens)) : undefined;
  const failed = record.errorDetails !== undefined && record.errorDetails !== null;
  const model = modelOf(record.modelInfo) ?? state.model;
  const stop = failed ? 'error' : call === undefined ? undefined : 'tool';
  // A bubble that only thinks is part of the next one.
  if (text !== '' || usage !== undefined || failed)
    send({ kind: 'reply', text, messageId: asText(record.bubbleId), model, usage, stop });
  if (call === undefined) return;
  const callId = asText(call.toolCallId) ?? `line-${line}`;
  const tool = asText(call.name)?.replace(/_v\d+$/, '');
  sendCall(send, callId, tool, parsed(call.params ?? call.rawArgs));
  sendResult(send, callId, outcomeOf(call));
}

function outcomeOf({ result: given, error, status, userDecision }: JsonObject): Outcome {
  const result = asObject(parsed(given));
  const text = shown(error) ?? shown(result?.output ?? result?.contents ?? given) ?? '';
  if (userDecision === 'rejected' || result?.rejected === true) return { denied: true, text };
  if (status === 'error') return { ok: false, text };
  if (status === 'completed') return { ok: true, ...exited(result?.exitCode ?? result?.exitCodeV2), text };
  // Stopped with everything else.
  return status === 'cancelled' ? { denied: true, text } : { running: true };
}

/** A session of the CLI is a database of its own: session information in `meta`, everything else as blobs. */
function isChatStore(path: string): boolean {
  return isDatabaseWith(path, { blobs: ['id', 'data'], meta: ['key', 'value'] });
}

function chatsIn(store: DatabaseSync) {
  const value = rowsOf(store, "SELECT value FROM meta WHERE key = '0'")[0]?.value;
  const text = typeof value === 'string' ? value : '';
  // JSON in hexadecimal digits.
  const json = /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex').toString('utf8') : text;
  const about = asObject(parsed(json)) ?? {};
  const id = asText(about.agentId);
  return id === undefined ? [] : [{ id, records: chatRecords(store, about) }];
}

function* chatRecords(store: DatabaseSync, about: JsonObject): Generator<JsonObject> {
  yield { chat: about };
  const sql =
    "SELECT CASE WHEN octet_length(data) <= ? THEN data END AS data FROM blobs WHERE substr(data, 1, 1) IN (?, '{') ORDER BY rowid";
  for (const { data } of rowsOf(store, sql, [MAX_ROW_BYTES, Buffer.from('{')])) {
    const message = asObject(parsed(textOf(data)));
    // The others hold the state of the program.
    if (asText(message?.role) !== undefined) yield { message };
  }
}

function textOf(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
}

/**
 * The editor stores everything in one key table: `composerData:<session>` has the order of its bubbles, each of which
 * is `bubbleId:<session>:<bubble>`. Older versions have the bubbles in the session. Keys are read by range: the table
 * may have gigabytes of others.
 */
function* composersIn(store: DatabaseSync, problem: RowProblem) {
  const sql =
    "SELECT substr(key, 14) AS id FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' ORDER BY key";
  const ids = rowsOf(store, sql).flatMap(({ id }) => asText(id) ?? []);
  const parents = new Map<unknown, string>();
  for (const id of ids) {
    const { subComposerIds, subagentComposerIds } = storedAt(store, `composerData:${id}`) ?? {};
    for (const child of [subComposerIds, subagentComposerIds].flat()) parents.set(child, id);
  }
  for (const id of ids) yield { id, records: bubblesOf(store, id, parents.get(id), problem) };
}

function* bubblesOf(
  store: DatabaseSync,
  id: string,
  parent: string | undefined,
  problem: RowProblem,
): Generator<JsonObject> {
  const composer = storedAt(store, `composerData:${id}`);
  if (composer === undefined) return problem('row');
  yield { composer: { ...composer, composerId: id, parent, conversation: undefined } };
  const inline = asObjects(composer.conversation);
  const bubbles = inline.length > 0 ? inline : asObjects(composer.fullConversationHeadersOnly);
  for (const one of bubbles) {
    const bubble = inline.length > 0 ? one : storedAt(store, `bubbleId:${id}:${asText(one.bubbleId) ?? ''}`);
    if (bubble !== undefined) yield { bubble };
  }
  yield { composer: { status: composer.status ?? null, ended: true } };
}

function storedAt(store: DatabaseSync, key: string): JsonObject | undefined {
  const sql = 'SELECT value FROM cursorDiskKV WHERE key = ? AND octet_length(value) <= ?';
  return asObject(parsed(textOf(rowsOf(store, sql, [key, MAX_ROW_BYTES])[0]?.value)));
}
