/**
 * Sessions of the Gemini CLI (`~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`; older: one JSON document). A
 * message is written again under the same id when it grows (tokens and results of tools come later): only its new parts
 * are emitted, and the latest usage counts. `$rewindTo` removes a message and everything after it.
 */
import { asArray, asObject, asObjects, asText, type JsonObject, shown } from '../json/json-fields.ts';
import { remember } from './bounded-map.ts';
import {
  type ChatState,
  chatAdapter,
  geminiUsage,
  isFailedCommand,
  type Line,
  type Outcome,
  sendCall,
  sendDiff,
  sendResult,
} from './chat.ts';
import { fencedCommand } from './user-command.ts';

type State = ChatState & {
  /** Folder that holds the files of a sub-agent: the session it serves. */
  readonly folder: string | undefined;
  /** Messages by id, with the length of their emitted text. */
  readonly messages: Map<string, number>;
  /** Tool calls: whether their end was seen. */
  readonly calls: Map<string, boolean>;
};

export const geminiAdapter = chatAdapter<State>({
  detect: ({ records, document }) => asObjects(records).some(document ? isDocument : isLine),
  start: ({ path }) => ({
    folder: /[\\/]chats[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(path)?.[1],
    messages: new Map(),
    calls: new Map(),
  }),
  elements: function* ({ messages, history, ...header }) {
    if (isHeader(header)) yield header;
    yield* Array.isArray(messages) ? messages : asArray(history);
  },
  // An update may carry all messages again.
  within: function* (record) {
    const update = asObject(record.$set);
    yield update === undefined ? record : { update };
    if (update !== undefined) yield* asObjects(update.messages).filter(({ type }) => asText(type));
  },
  times: ({ timestamp, ts, startTime }) => [timestamp, typeof ts === 'number' && ts * 1000, startTime],
  kind: (record) => {
    if (record.$rewindTo !== undefined) return 'rewind';
    const stated = 'update' in record ? 'update' : (asText(record.type) ?? asText(record.role));
    return stated ?? (isHeader(record) ? 'header' : undefined);
  },
  ignored: 'rewind warning',
  readers: {
    header: (line) => readHeader(line, line.record),
    update: (line) => readHeader(line, asObject(line.record.update) ?? {}),
    user: readUser,
    gemini: readReply,
    model: readReply,
    assistant: readReply,
    info: (line) => {
      if (!isNew(line)) return;
      const text = partsText(line.record.content);
      if (text.startsWith('Request cancelled')) line.send({ kind: 'interrupt' });
      if (/^(?:Chat history|Context) (?:was )?compressed/i.test(text)) line.send({ kind: 'compaction' });
    },
    error: (line) => {
      if (isNew(line)) line.send({ kind: 'end', reason: 'error' });
    },
  },
  // Ids are random, and stay when a session moves from a document to lines.
  entryKey: (record) => {
    const fields = asObject(record);
    return fields?.type === undefined ? undefined : asText(fields.id);
  },
  rewindTo: (record) => asText(asObject(record)?.$rewindTo),
});

function isHeader(fields: JsonObject): boolean {
  return (
    asText(fields.sessionId) !== undefined || asText(fields.projectHash) !== undefined || 'meta' in fields
  );
}

function isDocument(fields: JsonObject): boolean {
  return isNamed(fields) || asObjects(fields.history).some(({ parts }) => Array.isArray(parts));
}

function isLine(fields: JsonObject): boolean {
  return isNamed(fields) || fields.type === 'gemini' || asText(fields.$rewindTo) !== undefined;
}

function isNamed({ sessionId, projectHash }: JsonObject): boolean {
  return asText(sessionId) !== undefined && asText(projectHash) !== undefined;
}

function readHeader({ state, send }: Line<State>, header: JsonObject): void {
  const id = asText(header.sessionId);
  const model = asText(asObject(header.meta)?.model);
  const isChild = header.kind === 'subagent' && !state.subagent;
  if (header.kind === 'subagent') state.subagent = true;
  if (id !== undefined && id !== state.session) state.session = id;
  else if (!isChild && model === undefined) return;
  send({
    kind: 'session',
    agent: 'gemini-cli',
    sessionId: state.session,
    model,
    trigger: state.subagent ? 'subagent' : undefined,
    parentSessionId: state.subagent ? state.folder : undefined,
    project: asText(asArray(header.directories)[0]) ?? asText(header.projectHash),
  });
}

const RUNTIME_STARTS = [
  'System: Please continue',
  '<session_context>',
  '<state_snapshot>',
  '<hook_context>',
  'This is the Gemini CLI. We are setting up the context',
];

function readUser(line: Line<State>): void {
  const { content, parts, message } = line.record;
  const text = partsText(content ?? parts ?? message);
  const hasFile = asObjects(content ?? parts).some((part) => part.inlineData ?? part.fileData);
  if (newText(line, text) === undefined || (text === '' && !hasFile)) return;
  const isRuntime = RUNTIME_STARTS.some((start) => text.startsWith(start));
  const origin = isRuntime ? 'runtime' : line.state.subagent ? 'subagent' : 'user';
  line.send(fencedCommand(text) ?? { kind: 'user', origin, text });
}

function readReply(line: Line<State>): void {
  const { state, record, send } = line;
  const id = asText(record.id);
  const tokens = asObject(record.tokens);
  send({
    kind: 'reply',
    text: newText(line, partsText(record.content ?? record.parts)) ?? '',
    messageId: id && `${state.session ?? ''} ${id}`,
    model: asText(record.model),
    usage: geminiUsage(tokens?.input, tokens?.output, tokens?.cached, tokens?.thoughts, tokens?.tool),
  });
  asArray(record.toolCalls).forEach((call, index) => {
    const fields = asObject(call);
    if (fields !== undefined) readCall(line, fields, index);
  });
}

/** The new part of a message that was written before; undefined when there is none. */
function newText({ state, record }: Line<State>, text: string): string | undefined {
  const id = asText(record.id);
  if (id === undefined) return text;
  const earlier = state.messages.get(id);
  remember(state.messages, id, Math.max(earlier ?? 0, text.length));
  if (earlier === undefined) return text;
  return text.length > earlier ? text.slice(earlier) : undefined;
}

/** False when a note with this id was read before. */
function isNew({ state, record }: Line<State>): boolean {
  const id = asText(record.id);
  if (id === undefined) return true;
  const isKnown = state.messages.has(id);
  remember(state.messages, id, 0);
  return !isKnown;
}

/** A string, or parts; thoughts (`thought: true`) do not count as text, and neither do calls and results. */
function partsText(content: unknown): string {
  if (typeof content === 'string') return content;
  const texts = (Array.isArray(content) ? content : [content]).map((part) => {
    const fields = asObject(part);
    return typeof part === 'string' ? part : fields?.thought === true ? undefined : fields?.text;
  });
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n');
}

function readCall({ state, record, line, send }: Line<State>, call: JsonObject, index: number): void {
  const callId = asText(call.id) ?? `${asText(record.id) ?? `line-${line}`}/${index}`;
  const agent = asText(call.agentId);
  const isDone = state.calls.get(callId);
  if (isDone === undefined) {
    sendCall(send, callId, call.name, call.args);
    if (agent !== undefined) send({ kind: 'spawn', spawnId: callId, sessionId: agent });
  }
  if (isDone) return;
  const outcome = outcomeOf(call);
  remember(state.calls, callId, outcome.running !== true);
  if (outcome.running && isDone !== undefined) return;
  const display = asObject(call.resultDisplay);
  sendDiff(send, callId, display?.fileDiff, asText(asObject(call.args)?.file_path) ?? display?.filePath);
  sendResult(send, callId, outcome);
  if (agent !== undefined && outcome.ok !== undefined)
    send({ kind: 'spawn', spawnId: callId, ok: outcome.ok });
}

function outcomeOf(call: JsonObject): Outcome {
  const parts = asObjects(Array.isArray(call.result) ? call.result : [call.result]);
  const answers = asObjects(parts.map(({ functionResponse }) => asObject(functionResponse)?.response));
  const said = answers.map(({ output, error, content }) => shown(output ?? error ?? content) ?? '');
  const text =
    said.length > 0 ? said.join('\n') : partsText(call.result) || (asText(call.resultDisplay) ?? '');
  if (call.status === 'error') return { ok: false, text };
  if (call.status === 'cancelled') return { denied: true, text };
  if (call.status !== 'success')
    return call.result === undefined || call.result === null ? { running: true } : { text };
  const hasError = answers.some(({ error }) => error !== undefined && error !== null);
  return { ok: !hasError && !isFailedCommand(asText(call.name) ?? '', text), text };
}
