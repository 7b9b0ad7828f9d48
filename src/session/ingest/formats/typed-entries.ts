/**
 * Entries with a type, an id and a parent, one small function each. More than one agent writes its transcripts so, and
 * replaces the few that mean something else there.
 */
import type { ReplyEvent, UnplacedEvent } from '../../event.ts';
import {
  asObject,
  asText,
  contentText,
  cutText,
  defined,
  firstTime,
  type JsonObject,
} from '../json/json-fields.ts';
import type { Emit, Sample } from './format.ts';
import { type EventPlace, placeEvent } from './place-event.ts';
import { readCalls, readReply } from './typed-messages.ts';

/** The model in use, for messages that do not name theirs. */
export type EntryState = { model?: string; provider?: string };

/** Reads an entry, or the message in it, whose id comes along. Returns the name of something it does not know. */
export type Reader<State> = (
  state: State,
  fields: JsonObject,
  place: EventPlace,
  emit: Emit,
  id: string | undefined,
) => string | undefined;

export function put(emit: Emit, place: EventPlace, event: UnplacedEvent): void {
  emit(placeEvent(event, place));
}

export const ENTRY_ROLES: ReadonlyMap<string, Reader<EntryState>> = new Map<string, Reader<EntryState>>([
  ['user', readUser],
  ['assistant', readAssistant],
  ['toolResult', readToolResult],
  // A command the person ran: the agent sees it, but neither called it nor was asked anything by it.
  ['bashExecution', (_, message, place, emit) => personCommand(message, place, emit)],
  ['custom', (_, message, place, emit) => runtimeText(contentText(message.content), place, emit)],
  ['hookMessage', (_, message, place, emit) => runtimeText(contentText(message.content), place, emit)],
  // Made again from the entries of the same name whenever a session is loaded.
  ['branchSummary', ignore],
  ['compactionSummary', ignore],
]);

export const ENTRY_READERS: ReadonlyMap<string, Reader<EntryState>> = new Map<string, Reader<EntryState>>([
  ['session', readHeader],
  ['message', (state, entry, place, emit) => readMessage(ENTRY_ROLES, state, entry, place, emit)],
  ['model_change', readModelChange],
  ['compaction', (_, __, place, emit) => void put(emit, place, { kind: 'compaction' })],
  ['custom_message', (_, entry, place, emit) => runtimeText(contentText(entry.content), place, emit)],
  ['thinking_level_change', ignore],
  ['branch_summary', ignore],
  ['custom', ignore],
  ['label', ignore],
  ['session_info', ignore],
]);

export function stepEntry<State>(
  readers: ReadonlyMap<string, Reader<State>>,
  state: State,
  record: unknown,
  line: number,
  emit: Emit,
): string | undefined {
  const entry = asObject(record);
  if (entry === undefined) return 'not an object';
  const type = asText(entry.type);
  if (type === undefined) return 'no type';
  const reader = readers.get(type);
  if (reader === undefined) return type.slice(0, 80);
  const at = firstTime(entry.timestamp, asObject(entry.message)?.timestamp);
  return reader(state, entry, at === undefined ? { line } : { line, at }, emit, asText(entry.id));
}

export function readMessage<State>(
  roles: ReadonlyMap<string, Reader<State>>,
  state: State,
  entry: JsonObject,
  place: EventPlace,
  emit: Emit,
): string | undefined {
  const message = asObject(entry.message);
  const role = asText(message?.role);
  const reader = role === undefined ? undefined : roles.get(role);
  if (message === undefined || reader === undefined)
    return `message ${role?.slice(0, 80) ?? 'without a role'}`;
  return reader(state, message, place, emit, asText(entry.id));
}

export function readHeader(state: EntryState, entry: JsonObject, place: EventPlace, emit: Emit): undefined {
  noteModel(state, entry);
  // No time: a branched session keeps the older messages, so its header is younger than they are.
  put(
    emit,
    { line: place.line },
    {
      kind: 'session',
      ...defined({
        sessionId: asText(entry.id),
        parentSessionId: sessionInPath(entry.parentSession) ?? sessionInPath(entry.branchedFrom),
        model: state.model,
        provider: state.provider,
        project: asText(entry.cwd),
      }),
    },
  );
}

function readModelChange(state: EntryState, entry: JsonObject, place: EventPlace, emit: Emit): undefined {
  noteModel(state, entry);
  put(emit, place, { kind: 'session', ...defined({ model: state.model, provider: state.provider }) });
}

function readUser(_: EntryState, message: JsonObject, place: EventPlace, emit: Emit): undefined {
  put(emit, place, { kind: 'user', origin: 'user', text: contentText(message.content) });
}

function readAssistant(
  state: EntryState,
  message: JsonObject,
  place: EventPlace,
  emit: Emit,
  id?: string,
): undefined {
  const reply = emitReply(state, message, place, emit, id);
  // It is always the person who aborts, unless an agent says otherwise.
  if (reply.stop === 'aborted') put(emit, place, { kind: 'interrupt' });
}

export function emitReply(
  state: EntryState,
  message: JsonObject,
  place: EventPlace,
  emit: Emit,
  id?: string,
): ReplyEvent {
  const current = defined({ model: state.model, provider: state.provider });
  const reply = { ...current, ...readReply(message, id) };
  put(emit, place, reply);
  for (const call of readCalls(message, place.line)) put(emit, place, call);
  return reply;
}

function readToolResult(
  _: EntryState,
  message: JsonObject,
  place: EventPlace,
  emit: Emit,
): string | undefined {
  const callId = asText(message.toolCallId);
  if (callId === undefined) return 'message toolResult without a call';
  const text = contentText(message.content);
  const denied = message.isError === true && STOPPED.test(text.slice(-40)) ? true : undefined;
  const ok = typeof message.isError === 'boolean' && !denied ? !message.isError : undefined;
  put(emit, place, { kind: 'result', callId, text: cutText(text), ...defined({ ok, denied }) });
  return undefined;
}

/** Only the person stops what runs. */
const STOPPED = /(?:^|\n)(?:Command|Operation) aborted\s*$/;

export function runtimeText(text: string, place: EventPlace, emit: Emit): undefined {
  put(emit, place, { kind: 'user', origin: 'runtime', text });
}

function personCommand(message: JsonObject, place: EventPlace, emit: Emit): undefined {
  const { exitCode, cancelled } = message;
  put(emit, place, {
    kind: 'person-command',
    command: asText(message.command) ?? '',
    text: cutText(asText(message.output) ?? ''),
    ...(typeof exitCode === 'number' && cancelled !== true && { ok: exitCode === 0 }),
  });
}

export function ignore(): undefined {}

function noteModel(state: EntryState, entry: JsonObject): void {
  const model = asText(entry.modelId);
  const provider = asText(entry.provider);
  if (model !== undefined) state.model = model;
  if (provider !== undefined) state.provider = provider;
}

/** A parent is named by its file, `…/<time>_<id>.jsonl`; older and hand-made files give the id itself. */
function sessionInPath(value: unknown): string | undefined {
  const name = asText(value)?.split(/[/\\]/).at(-1);
  return name === undefined ? undefined : asText(name.replace(/\.jsonl$/, '').replace(/^.*_/, ''));
}

/** Whoever wrote them: a header, or messages shaped as nobody else shapes them. */
export function hasTypedEntries(sample: Sample): boolean {
  if (sample.document) return false;
  return sample.records.some((record) => {
    const entry = asObject(record);
    if (entry?.type === 'session') {
      return asText(entry.id) !== undefined && ('cwd' in entry || 'timestamp' in entry);
    }
    if (entry?.type !== 'message') return false;
    const message = asObject(entry.message);
    if (message?.role === 'toolResult') return asText(message.toolCallId) !== undefined;
    return message?.role === 'assistant' && 'stopReason' in message && 'usage' in message;
  });
}

/** The header is never a copy of anything: it names the session. */
export function typedEntryKey(record: unknown): string | undefined {
  const entry = asObject(record);
  if (entry === undefined || entry.type === 'session') return undefined;
  return asText(entry.id) ?? keyWithoutId(entry);
}

/**
 * Version 1 has no ids, and branching copied the messages into a new file. Two stamps in milliseconds, the role and
 * the call are as good as an id.
 */
function keyWithoutId(entry: JsonObject): string | undefined {
  const message = asObject(entry.message);
  if (message === undefined || typeof message.timestamp !== 'number' || typeof entry.timestamp !== 'string') {
    return undefined;
  }
  return `${entry.timestamp}/${message.timestamp}/${asText(message.role) ?? ''}/${asText(message.toolCallId) ?? ''}`;
}

export function typedParentKey(record: unknown): string | undefined {
  const entry = asObject(record);
  return entry === undefined || entry.type === 'session' ? undefined : asText(entry.parentId);
}
