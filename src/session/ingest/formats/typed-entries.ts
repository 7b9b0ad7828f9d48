/**
 * Entries with a type, an id and a parent. More than one agent writes its transcripts so, and replaces the readers of those
 * that mean something else there.
 */
import type { Usage } from '../../event.ts';
import { tokensOf } from '../../usage.ts';
import { asCount, asObject, asText, contentText, cutText, type JsonObject } from '../json/json-fields.ts';
import {
  type Call,
  type Chat,
  type ChatState,
  callsIn,
  exited,
  type Line,
  sendReply,
  sendResult,
  stopOf,
  usageApart,
} from './chat.ts';
import type { Sample } from './format.ts';

export const TYPED_ENTRIES = {
  // Without the header's time: a branched session has older messages than its header.
  times: ({ type, timestamp, message }: JsonObject) =>
    type === 'session' ? [] : [timestamp, asObject(message)?.timestamp],
  kind: ({ type, message }: JsonObject) =>
    type === 'message' ? `message ${asText(asObject(message)?.role) ?? 'without a role'}` : asText(type),
  message: ({ message }: JsonObject) => asObject(message),
  // Summaries are made again from the entries of the same name whenever a session is loaded.
  ignored: `thinking_level_change branch_summary custom label session_info`,
  readers: {
    session: readHeader,
    model_change: (line: Line) => {
      noteModel(line);
      line.send({ kind: 'session', model: line.state.model, provider: line.state.provider });
    },
    compaction: ({ send }: Line) => send({ kind: 'compaction' }),
    custom_message: ({ record, send }: Line) =>
      send({ kind: 'user', origin: 'runtime', text: contentText(record.content) }),
    'message user': (line: Line) =>
      line.send({ kind: 'user', origin: 'user', text: contentText(messageOf(line).content) }),
    'message assistant': (line: Line) => {
      const stop = readReply(line, messageOf(line));
      // The user aborts, unless an agent says otherwise.
      if (stop === 'aborted') line.send({ kind: 'interrupt' });
    },
    'message toolResult': readToolResult,
    // A command of the user: the agent sees it, but neither called it nor was asked anything.
    'message bashExecution': readPersonCommand,
    'message custom': readRuntimeMessage,
    'message hookMessage': readRuntimeMessage,
    'message branchSummary': () => undefined,
    'message compactionSummary': () => undefined,
  },
  // The header is never a copy of anything: it names the session.
  entryKey: (record: unknown) => {
    const entry = asObject(record);
    if (entry === undefined || entry.type === 'session') return undefined;
    return asText(entry.id) ?? keyWithoutId(entry);
  },
  parentKey: (record: unknown) => {
    const entry = asObject(record);
    return entry === undefined || entry.type === 'session' ? undefined : asText(entry.parentId);
  },
} satisfies Partial<Chat<ChatState>>;

export function messageOf({ record }: Pick<Line, 'record'>): JsonObject {
  return asObject(record.message) ?? {};
}

export function readHeader(line: Line): void {
  const { state, record, send } = line;
  noteModel(line);
  send({
    kind: 'session',
    sessionId: asText(record.id),
    parentSessionId: sessionInPath(record.parentSession) ?? sessionInPath(record.branchedFrom),
    model: state.model,
    provider: state.provider,
    project: asText(record.cwd),
  });
}

function noteModel({ state, record }: Line): void {
  state.model = asText(record.modelId) ?? state.model;
  state.provider = asText(record.provider) ?? state.provider;
}

/** A parent is named by its file, `…/<time>_<id>.jsonl`; older and hand-made files have the id itself. */
function sessionInPath(value: unknown): string | undefined {
  const name = asText(value)?.split(/[/\\]/).at(-1);
  return asText(name?.replace(/\.jsonl$/, '').replace(/^.*_/, ''));
}

/** Gives why the model stopped. */
export function readReply(
  line: Line,
  message: JsonObject,
  called?: (callId: string, tool: string, input: unknown) => void,
): ReturnType<typeof stopOf> {
  const { state, record } = line;
  const calls = typedCalls(message, line.line);
  const provider = asText(message.provider);
  const usage = typedUsage(message.usage);
  const stop = stopIn(message, calls);
  const reply = {
    text: contentText(message.content),
    messageId: asText(record.id),
    model: asText(message.model) ?? state.model,
    provider: provider ?? state.provider,
    usage,
    costUsd: costIn(message.usage, usage, provider),
    stop,
  };
  sendReply(line, reply, calls);
  for (const { id, name, input } of calls) called?.(String(id), asText(name) ?? 'unknown', input);
  return stop;
}

export function typedCalls(message: JsonObject, line: number): Call[] {
  return callsIn({ content: message.content }).map((call, index) => ({
    ...call,
    id: asText(call.id) ?? `line-${line}-block-${index}`,
  }));
}

/** Some proxies report `stop` for every message, so the blocks show whether tools were called. */
function stopIn(message: JsonObject, calls: readonly Call[]): ReturnType<typeof stopOf> {
  const stop = stopOf(message.stopReason);
  if (stop !== undefined && stop !== 'end') return stop;
  if (calls.length > 0) return 'tool';
  return stop ?? (asText(message.errorMessage) === undefined ? undefined : 'error');
}

export function typedUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  return usageApart(usage?.input, usage?.output, usage?.cacheRead, usage?.cacheWrite);
}

/** Local models: a stated cost of 0 is a price here; elsewhere it means that the price was unknown. */
const LOCAL_PROVIDERS: ReadonlySet<string> = new Set(
  'ollama lmstudio lm-studio llamacpp llama.cpp llama-cpp vllm sglang mlx localai koboldcpp local'.split(' '),
);

function costIn(value: unknown, usage: Usage | undefined, provider = ''): number | undefined {
  const cost = asObject(asObject(value)?.cost);
  if (cost === undefined) return undefined;
  const parts = [cost.input, cost.output, cost.cacheRead, cost.cacheWrite].flatMap(
    (part) => asCount(part) ?? [],
  );
  const sum = parts.length === 0 ? undefined : parts.reduce((all, part) => all + part, 0);
  const total = asCount(cost.total) ?? sum;
  if (total === undefined || total > 0) return total;
  const isFree = LOCAL_PROVIDERS.has(provider.toLowerCase());
  return isFree && usage !== undefined && tokensOf(usage) > 0 ? 0 : undefined;
}

/** Only the user stops running calls. */
const STOPPED = /(?:^|\n)(?:Command|Operation) aborted\s*$/;

function readToolResult(line: Line): unknown {
  const { toolCallId, content, isError } = messageOf(line);
  if (asText(toolCallId) === undefined) return 'message toolResult without a call';
  const text = contentText(content);
  const isDenied = isError === true && STOPPED.test(text.slice(-40));
  const ok = typeof isError === 'boolean' && !isDenied ? !isError : undefined;
  return sendResult(line.send, toolCallId, { text, ok, denied: isDenied || undefined });
}

function readRuntimeMessage(line: Line): void {
  line.send({ kind: 'user', origin: 'runtime', text: contentText(messageOf(line).content) });
}

function readPersonCommand(line: Line): void {
  const { command, output, exitCode, cancelled } = messageOf(line);
  line.send({
    kind: 'person-command',
    command: asText(command) ?? '',
    text: cutText(asText(output) ?? ''),
    ...(cancelled === true ? {} : exited(exitCode)),
  });
}

/** Detected by a header, or by messages with fields that no other format has. */
export function hasTypedEntries(sample: Sample): boolean {
  if (sample.document) return false;
  return sample.records.some((record) => {
    const entry = asObject(record);
    if (entry?.type === 'session')
      return asText(entry.id) !== undefined && ('cwd' in entry || 'timestamp' in entry);
    if (entry?.type !== 'message') return false;
    const message = asObject(entry.message);
    if (message?.role === 'toolResult') return asText(message.toolCallId) !== undefined;
    return message?.role === 'assistant' && 'stopReason' in message && 'usage' in message;
  });
}

/**
 * Version 1 has no ids, and branching copied the messages into a new file. Two stamps in milliseconds, the role and
 * the call are as good as an id.
 */
function keyWithoutId(entry: JsonObject): string | undefined {
  const message = asObject(entry.message);
  if (typeof message?.timestamp !== 'number' || typeof entry.timestamp !== 'string') return undefined;
  return `${entry.timestamp}/${message.timestamp}/${asText(message.role) ?? ''}/${asText(message.toolCallId) ?? ''}`;
}
