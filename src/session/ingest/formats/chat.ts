/**
 * What transcripts of agents have in common. A transcript is a list of records: a header, user messages, model messages
 * with calls, results of calls, and notices of the program. A format declares how to distinguish these and where each
 * fact is (`chatAdapter`); everything it does not declare is read in the terms that most APIs use.
 */
import type {
  EndReason,
  Event,
  ReplyEvent,
  ResultEvent,
  SessionEvent,
  UnplacedEvent,
  Usage,
  UserEvent,
} from '../../event.ts';
import { readDiffs } from '../../fold/file-changes.ts';
import { cacheWrite1h } from '../../usage.ts';
import {
  asArray,
  asCount,
  asObject,
  asObjects,
  asText,
  contentText,
  cutText,
  defined,
  firstTime,
  isZero,
  type JsonObject,
  parsed,
  sampled,
} from '../json/json-fields.ts';
import type { Adapter, Emit, FileInfo, Sample, Sidecar } from './format.ts';

/** What most formats need between records. */
export type ChatState = {
  session?: string;
  model?: string;
  provider?: string;
  /** Messages to a sub-agent are not the user's. */
  subagent?: boolean;
};

/** Tells an event at the time and in the session of its record. */
export type Send = (event: UnplacedEvent, at?: number, session?: string) => void;

/** A record and its place. */
export type Line<State = ChatState> = {
  readonly state: State;
  readonly record: JsonObject;
  readonly line: number;
  readonly send: Send;
};

/** A text that it returns names something that it does not know. */
export type Read<State = ChatState> = (line: Line<State>) => unknown;

export type Call = {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
  /** What is wrong with it: the model called something that cannot be called. */
  readonly refused?: string;
};
export type Outcome = Omit<ResultEvent, 'kind' | 'callId'>;
export type Result = Outcome & { readonly id: unknown; readonly tool?: unknown };
export type Said = { readonly text: string; readonly origin?: UserEvent['origin'] };

export type Chat<State extends ChatState> = Omit<Adapter<State>, 'start' | 'step' | 'finish' | 'elements'> & {
  readonly start?: (file: FileInfo) => State;
  /** Stamps of a record; the first that is a moment counts. */
  readonly times?: (record: JsonObject, state: State) => readonly unknown[];
  /** Whose record it is, where not all are of `state.session`. */
  readonly sessionOf?: (record: JsonObject, state: State) => string | undefined;
  /** The field that classifies a record: its role or its type. */
  readonly kind?: (record: JsonObject, state: State) => string | undefined;
  /** Runs before every record: session information in it. */
  readonly before?: Read<State>;
  /** By kind. Those of `user`, `assistant` and `tool` are there already. */
  readonly readers?: Readonly<Record<string, Read<State>>>;
  /** What reads the other kinds. */
  readonly otherwise?: Read<State>;
  /** The records that one record holds, one after another. */
  readonly within?: (record: JsonObject, state: State) => Iterable<JsonObject>;
  /** What events point at, where that is not the line. */
  readonly place?: (record: JsonObject, state: State) => number;
  /** Kinds without information about the session, separated by blanks. */
  readonly ignored?: string;
  /** Where the message is, if it is not the record itself. */
  readonly message?: (record: JsonObject) => JsonObject | undefined;
  /** The part of a user message that the user wrote. */
  readonly said?: (text: string, line: Line<State>) => Said;
  /** Facts about a reply apart from its text. */
  readonly reply?: (message: JsonObject, line: Line<State>) => Partial<ReplyEvent>;
  /** A reply without text and calls is skipped. */
  readonly skipsEmpty?: true;
  readonly calls?: (message: JsonObject, line: Line<State>) => readonly Call[];
  /** After each call. */
  readonly called?: (callId: string, tool: string, line: Line<State>) => void;
  readonly results?: (message: JsonObject, line: Line<State>) => readonly Result[];
  /** After each result. */
  readonly answered?: (callId: string, result: Result, line: Line<State>) => void;
  /** The types of blocks that a message may have; others are reported. */
  readonly known?: RegExp;
  readonly finish?: (state: State, send: Send) => void;
  /** The records of a document that is no list of them. */
  readonly elements?: (document: JsonObject, file: FileInfo) => Iterable<unknown>;
};

export function chatAdapter<State extends ChatState>(chat: Chat<State>): Adapter<State> {
  const readers = new Map<string, Read<State>>([
    ['system', () => undefined],
    ['user', (line) => readUser(chat, line)],
    ['assistant', (line) => readReply(chat, line)],
    ['tool', (line) => readResults(chat, line)],
    ...(chat.ignored ?? '').split(/\s+/).map((kind) => [kind, () => undefined] as const),
    ...Object.entries(chat.readers ?? {}),
  ]);
  const kindOf = chat.kind ?? ((record) => asText(record.role) ?? asText(record.type));
  const { elements, finish, within, place } = chat;
  const read = (state: State, record: JsonObject, line: number, emit: Emit): string | undefined => {
    const at = firstTime(...(chat.times?.(record, state) ?? [record.timestamp]));
    const send = sendTo(emit, line, at, () =>
      chat.sessionOf === undefined ? state.session : chat.sessionOf(record, state),
    );
    const here = { state, record, line, send };
    chat.before?.(here);
    const kind = kindOf(record, state) ?? '(no type)';
    const reader = readers.get(kind) ?? chat.otherwise;
    const unknown = reader === undefined ? kind.slice(0, 80) : reader(here);
    return typeof unknown === 'string' ? unknown : undefined;
  };
  return {
    ...chat,
    start: chat.start ?? (() => ({}) as State),
    step: (state, value, line, emit) => {
      const record = asObject(value);
      if (record === undefined) return '(not an object)';
      let unknown: string | undefined;
      for (const one of within?.(record, state) ?? [record])
        unknown = read(state, one, place?.(one, state) ?? line, emit) ?? unknown;
      return unknown;
    },
    finish:
      finish &&
      ((state, line, emit) =>
        finish(
          state,
          sendTo(emit, line, undefined, () => state.session),
        )),
    elements: (document, file) => {
      const fields = asObject(document);
      if (fields === undefined) return asArray(document);
      return elements?.(fields, file) ?? [fields];
    },
  };
}

/** An event at its place. It contains only what is known: a later event never overwrites it with nothing. */
export function placeEvent(event: UnplacedEvent, place: { line: number; at?: number | undefined }): Event {
  return defined({ ...event, ...place }) as Event;
}

function sendTo(emit: Emit, line: number, at: number | undefined, session: () => string | undefined): Send {
  return (event, when = at, whose = session()) => emit(placeEvent(event, { line, at: when }), whose);
}

function messageOf<State extends ChatState>(chat: Chat<State>, { record }: Line<State>): JsonObject {
  return chat.message?.(record) ?? record;
}

function readUser<State extends ChatState>(chat: Chat<State>, line: Line<State>): unknown {
  const { state, send } = line;
  const { content } = messageOf(chat, line);
  const unknown = readResults(chat, line);
  const whole = contentText(content);
  const { text, origin = 'user' } = chat.said?.(whole, line) ?? { text: whole };
  sendUser(send, text, state.subagent && origin === 'user' ? 'subagent' : origin, hasAttachment(content));
  return unknown;
}

/** Pictures and files without a word are a message, too. */
function hasAttachment(content: unknown): boolean {
  return asObjects(content).some(({ type }) =>
    /^(?:image|image_url|binary|file|document)$/.test(asText(type) ?? ''),
  );
}

export function sendUser(
  send: Send,
  text: string,
  origin: UserEvent['origin'] = 'user',
  isMore = false,
): void {
  if (text !== '' || isMore) send({ kind: 'user', origin, text });
}

function readReply<State extends ChatState>(chat: Chat<State>, line: Line<State>): unknown {
  const message = messageOf(chat, line);
  const { model, provider } = line.state;
  const calls = chat.calls?.(message, line) ?? callsIn(message);
  const about = chat.reply?.(message, line) ?? {};
  const reply = { text: contentText(message.content), model, provider, ...about };
  if (!chat.skipsEmpty || reply.text !== '' || calls.length > 0)
    sendReply(line, reply, calls, (callId, tool) => chat.called?.(callId, tool, line));
  if (about.stop === 'aborted') line.send({ kind: 'interrupt' });
  return chat.known && strangeBlock(message.content, chat.known);
}

function readResults<State extends ChatState>(chat: Chat<State>, line: Line<State>): unknown {
  const message = messageOf(chat, line);
  for (const result of chat.results?.(message, line) ?? resultBlocks(message)) {
    sendResult(line.send, result.id, result);
    const callId = asText(result.id);
    if (callId !== undefined) chat.answered?.(callId, result, line);
  }
  return chat.known && strangeBlock(message.content, chat.known);
}

/** The model's text and calls. */
export function sendReply<State>(
  { line, send }: Pick<Line<State>, 'line' | 'send'>,
  reply: Omit<ReplyEvent, 'kind'>,
  calls: readonly Call[] = [],
  called?: (callId: string, tool: string) => void,
): void {
  send({ kind: 'reply', ...reply, stop: reply.stop ?? (calls.length > 0 ? 'tool' : undefined) });
  calls.forEach((call, index) => {
    const callId = asText(call.id) ?? `line-${line}/${index}`;
    sendCall(send, callId, call.name, call.input);
    called?.(callId, asText(call.name) ?? 'unknown');
    if (call.refused !== undefined) sendResult(send, callId, { ok: false, text: call.refused });
  });
}

export function sendCall(send: Send, callId: string, name: unknown, input: unknown): void {
  send({ kind: 'call', callId, tool: asText(name) ?? 'unknown', input: input ?? null });
}

/** Blocks of a message or its list of calls: `tool_use`, `tool-call`, `toolCall`, functions of the completions API. */
export function callsIn({ content, tool_calls, toolCalls }: JsonObject): Call[] {
  const blocks = asObjects(content).filter(({ type }) =>
    /^(?:tool|function)[-_]?(?:use|call)$/i.test(asText(type) ?? ''),
  );
  return [...blocks, ...asObjects(parsed(tool_calls ?? toolCalls))].map((call) => {
    const named = asObject(call.function) ?? call;
    return {
      id: call.id ?? call.toolCallId ?? call.call_id,
      name: named.name ?? named.toolName,
      input: named.input ?? named.args ?? parsed(named.arguments),
    };
  });
}

/** Blocks that are results, in the order of the message. */
export function resultBlocks({ content }: JsonObject): Result[] {
  return asObjects(asArray(content)).flatMap((block) => {
    if (!/^tool[-_]?result$/i.test(asText(block.type) ?? '')) return [];
    const text = contentText(block.content);
    return [
      { id: block.tool_use_id ?? block.toolCallId, text, ok: block.is_error === true ? false : undefined },
    ];
  });
}

export function sendResult(send: Send, id: unknown, outcome: Outcome, at?: number): void {
  const callId = asText(id);
  if (callId === undefined) return;
  const { ok, running, denied, byRule, reason, text } = outcome;
  const short = text === undefined ? undefined : cutText(text);
  send({ kind: 'result', callId, ok, running, denied, byRule, reason, text: short }, at);
}

/** By the exit code of a command, where there is one. */
export function exited(code: unknown): { ok?: boolean } {
  return typeof code === 'number' ? { ok: code === 0 } : {};
}

const EXIT_CODE = /(?:^|\n|\\n)Exit Code: (-?\d+)/;

/** A failed command is a successful call of its tool: the exit code is in the result. */
export function isFailedCommand(tool: string, text: string): boolean {
  if (!/shell|terminal|bash/i.test(tool)) return false;
  const code = EXIT_CODE.exec(text)?.[1];
  return code !== undefined && Number(code) !== 0;
}

/** The diff shown to the user, as a unified diff: whole lines, the user's own changes included. */
export function sendDiff(send: Send, callId: string, diff: unknown, path: unknown, at?: number): void {
  const [text, file] = [asText(diff), asText(path)];
  if (text === undefined || file === undefined) return;
  for (const change of readDiffs(text, file)) send({ kind: 'file-change', callId, ...change }, at);
}

/** `meaning: word word` → each word with its meaning. */
function meanings<T extends string>(lists: Readonly<Record<T, string>>): ReadonlyMap<unknown, T> {
  const entries = Object.entries(lists) as [T, string][];
  return new Map(
    entries.flatMap(([meaning, words]) => words.split(' ').map((word) => [word, meaning] as const)),
  );
}

const STOPS = meanings({
  end: 'end_turn stop stop_sequence',
  tool: 'tool_use tool_calls tool-calls toolUse',
  length: 'max_tokens length model_context_window_exceeded',
  refusal: 'refusal content_filter content-filter filtered',
  aborted: 'aborted canceled cancelled',
  error: 'error',
});

/** Why the model stopped, in the words of the APIs. */
export function stopOf(word: unknown): ReplyEvent['stop'] {
  return STOPS.get(word);
}

const ENDS = meanings<EndReason | 'interrupt'>({
  normal: 'completed success',
  error: 'error failed',
  interrupt: 'aborted cancelled',
  open: 'running',
} as Record<EndReason | 'interrupt', string>);

/** The end of a run by its status. */
export function endEvent(status: unknown): UnplacedEvent | undefined {
  const reason = ENDS.get(status);
  if (reason === undefined) return undefined;
  return reason === 'interrupt' ? { kind: 'interrupt' } : { kind: 'end', reason };
}

export function sendEnd(send: Send, status: unknown): void {
  const event = endEvent(status);
  if (event !== undefined) send(event);
}

/** Of a session that another one started. */
export function childOf(parentSessionId: string | undefined): {
  parentSessionId?: string;
  trigger?: 'subagent';
} {
  return parentSessionId === undefined ? {} : { parentSessionId, trigger: 'subagent' };
}

/** Usage with cached tokens reported apart from the input. */
export function usageApart(
  input: unknown,
  output: unknown,
  cacheRead?: unknown,
  cacheWrite?: unknown,
): Usage | undefined {
  const [given, said] = [asCount(input), asCount(output)];
  if (given === undefined && said === undefined) return undefined;
  const usage = { input: given ?? 0, output: said ?? 0 };
  return { ...usage, cacheRead: asCount(cacheRead) ?? 0, cacheWrite: asCount(cacheWrite) ?? 0 };
}

const USAGE_KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** What a running total moved by; one that fell was started anew. */
export function usageSince(now: Usage, before: Usage | undefined): Usage {
  if (before === undefined || USAGE_KINDS.some((kind) => now[kind] < before[kind])) return now;
  return {
    input: now.input - before.input,
    output: now.output - before.output,
    cacheRead: now.cacheRead - before.cacheRead,
    cacheWrite: now.cacheWrite - before.cacheWrite,
    ...cacheWrite1h((now.cacheWriteHour ?? 0) - (before.cacheWriteHour ?? 0)),
  };
}

/** Where nothing was used, nothing was counted. */
export function unlessZero(usage: Usage | undefined): Usage | undefined {
  return usage === undefined || isZero(usage) ? undefined : usage;
}

/**
 * Usage of the Gemini API. The input includes tokens read from the cache; thoughts are billed as output and reported
 * apart from it; tool prompts are billed as input.
 */
export function geminiUsage(
  prompt: unknown,
  said: unknown,
  cached: unknown,
  thoughts: unknown,
  tool?: unknown,
): Usage | undefined {
  const [given, written] = [asCount(prompt), asCount(said)];
  if (given === undefined && written === undefined) return undefined;
  const cacheRead = Math.min(asCount(cached) ?? 0, given ?? 0);
  const input = (given ?? 0) - cacheRead + (asCount(tool) ?? 0);
  return { input, output: (written ?? 0) + (asCount(thoughts) ?? 0), cacheRead, cacheWrite: 0 };
}

/** True where one of the records of a file is of a format. */
export function anyRecord(is: (record: JsonObject) => boolean, only?: 'lines'): Adapter['detect'] {
  return ({ records, document }: Sample) =>
    !(document && only === 'lines') && sampled(records, document).some(is);
}

/** The one document that a file is. */
export function documentIs(is: (document: JsonObject) => boolean): Adapter['detect'] {
  return ({ records, document }: Sample) => {
    const fields = document ? asObject(records[0]) : undefined;
    return fields !== undefined && is(fields);
  };
}

function strangeBlock(content: unknown, known: RegExp): string | undefined {
  const strange = asObjects(content).find(({ type }) => !known.test(asText(type) ?? ''));
  return strange === undefined ? undefined : `block ${asText(strange.type) ?? '(no type)'}`;
}

/** Session information in a companion file of a transcript. */
export function sidecarBefore(event: SessionEvent, at?: number): Sidecar {
  return { before: [placeEvent(event, { line: 1, at })], between: [], after: [] };
}
