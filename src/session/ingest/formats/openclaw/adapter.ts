/** Transcripts of OpenClaw (and of Clawdbot and Moltbot, its earlier names): JSONL of all ages, and rows of its stores. */
import type { CallEvent } from '../../../event.ts';
import { asObject, asText, contentText, defined, type JsonObject } from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import type { EventPlace } from '../place-event.ts';
import {
  ENTRY_READERS,
  ENTRY_ROLES,
  type EntryState,
  emitReply,
  hasTypedEntries,
  ignore,
  put,
  type Reader,
  readHeader,
  readMessage,
  runtimeText,
  stepEntry,
  typedEntryKey,
  typedParentKey,
} from '../typed-entries.ts';
import { readCalls } from '../typed-messages.ts';
import { agentOfPath } from './names.ts';
import { readSidecars } from './sidecar.ts';
import { isOpenclawStore, storeSessions } from './sqlite.ts';
import {
  noteProcessCall,
  type ResultState,
  readExecNotice,
  readResult,
  readReturns,
  readSpawnCall,
  readSpawnResult,
  SPAWN_TOOL,
  type SpawnState,
} from './tools.ts';
import { readUserText, type UserOrigin } from './user-text.ts';

export type OpenclawState = EntryState &
  ResultState &
  SpawnState & {
    agent?: string;
    /** Who set the present run going. */
    origin: UserOrigin;
    /** Whether the last thing the model said was an error. */
    failed: boolean;
    /** Compactions that the transcript shows; the recorder may know of more. */
    compactions: number;
  };

/** Messages the gateway writes into a transcript in the model's name: what it delivered, what a command answered. */
const PSEUDO_MODELS: ReadonlySet<unknown> = new Set(['delivery-mirror', 'gateway-injected']);

const ROLES: ReadonlyMap<string, Reader<OpenclawState>> = new Map<string, Reader<OpenclawState>>([
  ...ENTRY_ROLES,
  ['user', readUser],
  ['assistant', readAssistant],
  ['toolResult', readToolResult],
]);

const ENTRIES: ReadonlyMap<string, Reader<OpenclawState>> = new Map<string, Reader<OpenclawState>>([
  ...ENTRY_READERS,
  ['session', readSession],
  ['message', (state, entry, place, emit) => readMessage(ROLES, state, entry, place, emit)],
  ['compaction', readCompaction],
  ['custom', readCustom],
  ['custom_message', readContext],
  // A fresh window of history in the same session: the runs on either side of it tell themselves apart.
  ['reset', ignore],
]);

export const openclawAdapter: Adapter<OpenclawState> = {
  detect: isOpenclaw,
  start: (file) => ({
    origin: 'user',
    failed: false,
    compactions: 0,
    background: [],
    processCalls: [],
    spawned: [],
    ...defined({ agent: agentOfPath(file.path) }),
  }),
  step: (state, record, line, emit) => stepEntry(ENTRIES, state, record, line, emit),
  entryKey: typedEntryKey,
  parentKey: typedParentKey,
  sidecar: readSidecars,
  shownCompactions: ({ compactions }) => compactions,
  store: { isStore: isOpenclawStore, sessions: storeSessions },
};

function readSession(state: OpenclawState, entry: JsonObject, place: EventPlace, emit: Emit): undefined {
  readHeader(state, entry, place, emit);
  if (state.agent !== undefined) put(emit, { line: place.line }, { kind: 'session', agent: state.agent });
}

function readCompaction(state: OpenclawState, _entry: JsonObject, place: EventPlace, emit: Emit): undefined {
  state.compactions += 1;
  put(emit, place, { kind: 'compaction' });
}

function readUser(state: OpenclawState, message: JsonObject, place: EventPlace, emit: Emit): undefined {
  const { origin, text, notices } = readUserText(message);
  for (const notice of notices) readExecNotice(state, notice, place, emit);
  if (origin === 'runtime') {
    readExecNotice(state, text, place, emit);
    readReturns(state, text, place, emit);
  } else {
    state.origin = origin;
    state.failed = false;
  }
  put(emit, place, { kind: 'user', origin, text: text === '' ? notices.join('\n') : text });
}

function readAssistant(
  state: OpenclawState,
  message: JsonObject,
  place: EventPlace,
  emit: Emit,
  id?: string,
): undefined {
  if (message.provider === 'openclaw' && PSEUDO_MODELS.has(message.model)) return;
  const calls = readCalls(message, place.line);
  const reply = emitReply(state, answered(message, calls), place, emit, id);
  state.failed = reply.stop === 'error';
  for (const call of calls) {
    if (call.tool === 'process') noteProcessCall(state, call.callId, call.input);
    if (call.tool === SPAWN_TOOL) readSpawnCall(state, call.callId, call.input, place, emit);
  }
  if (reply.stop === 'aborted' && byPerson(state, message)) put(emit, place, { kind: 'interrupt' });
}

/** Nobody is there to stop a heartbeat or a cron run, and running out of time is nobody's decision. */
function byPerson(state: OpenclawState, message: JsonObject): boolean {
  return (
    state.origin === 'user' && !/time[d -]{0,2}out/i.test(asText(message.errorMessage)?.slice(0, 400) ?? '')
  );
}

/** Newer versions answer a heartbeat with a call; it says in a field what used to be said with HEARTBEAT_OK. */
function answered(message: JsonObject, calls: readonly CallEvent[]): JsonObject {
  const answer = asObject(calls.find((call) => call.tool === 'heartbeat_respond')?.input);
  if (answer === undefined || !Array.isArray(message.content)) return message;
  const quiet = answer.outcome === 'no_change' && answer.notify !== true;
  const text = quiet ? 'HEARTBEAT_OK' : (asText(answer.notificationText) ?? asText(answer.summary) ?? '');
  return text === '' ? message : { ...message, content: [...message.content, { type: 'text', text }] };
}

function readToolResult(
  state: OpenclawState,
  message: JsonObject,
  place: EventPlace,
  emit: Emit,
): string | undefined {
  const unknown = readResult(state, message, place, emit);
  readSpawnResult(state, message, place, emit);
  return unknown;
}

function readContext(state: OpenclawState, entry: JsonObject, place: EventPlace, emit: Emit): undefined {
  const text = contentText(entry.content);
  readReturns(state, text, place, emit);
  runtimeText(text, place, emit);
}

function readCustom(state: OpenclawState, entry: JsonObject, place: EventPlace, emit: Emit): undefined {
  const data = asObject(entry.data);
  if (entry.customType === 'model-snapshot') {
    const model = asText(data?.modelId);
    const provider = asText(data?.provider);
    Object.assign(state, defined({ model, provider }));
    put(emit, place, { kind: 'session', ...defined({ model, provider }) });
  }
  // The model could not be asked at all. Where its message says so too, once is enough.
  if (entry.customType === 'openclaw:prompt-error' && !state.failed) {
    state.failed = true;
    const stop = /\babort/i.test(asText(data?.error)?.slice(0, 400) ?? '') ? 'aborted' : 'error';
    put(emit, place, {
      kind: 'reply',
      text: '',
      stop,
      ...defined({ model: state.model, provider: state.provider }),
    });
  }
}

// OpenClaw writes pi's entries; these are the traces by which its transcripts can be told from pi's own.

/** Tools that OpenClaw has and pi has not (pi: read, bash, edit, write, grep, find, ls). */
const TOOLS: ReadonlySet<unknown> = new Set([
  'exec',
  'process',
  'cron',
  'gateway',
  'message',
  'web_fetch',
  'web_search',
  'memory_search',
  'memory_get',
  'sessions_list',
  'sessions_history',
  'sessions_send',
  'sessions_spawn',
  'sessions_yield',
  'session_status',
  'heartbeat_respond',
]);

const RUNTIME_TEXT =
  /\[OpenClaw |HEARTBEAT_OK|HEARTBEAT\.md|\[Subagent Context\]|^\[cron:|\(untrusted metadata\):|^System: \[\d{4}-/;

/** OpenClaw's folders, under the names it has had. Asked only about files that are of pi's kind by content. */
const FOLDER = /[/\\]\.?(?:openclaw|clawdbot|moltbot|moldbot)[^/\\]*(?=[/\\])/;

function isOpenclaw(sample: Sample): boolean {
  return hasTypedEntries(sample) && (sample.records.some(hasTrace) || isInFolder(sample.path));
}

function isInFolder(path: string): boolean {
  const at = path.search(FOLDER);
  return at >= 0 && /[/\\]agents[/\\]/.test(path.slice(at + 1));
}

function hasTrace(record: unknown): boolean {
  const entry = asObject(record);
  if (entry === undefined) return false;
  if (entry.agent === 'openclaw' || 'sessionKey' in entry || isOurs(entry.provider)) return true;
  const customType = asText(entry.customType);
  if (customType !== undefined) return customType === 'model-snapshot' || isOurs(customType);
  const message = asObject(entry.message);
  return message !== undefined && messageHasTrace(message);
}

function messageHasTrace(message: JsonObject): boolean {
  if ('__openclaw' in message || 'provenance' in message || isOurs(message.provider)) return true;
  switch (message.role) {
    case 'user':
      return RUNTIME_TEXT.test(contentText(message.content).slice(0, 2_000));
    case 'toolResult':
      return TOOLS.has(message.toolName);
    case 'assistant':
      return (
        Array.isArray(message.content) && message.content.some((block) => TOOLS.has(asObject(block)?.name))
      );
    default:
      return false;
  }
}

function isOurs(name: unknown): boolean {
  return typeof name === 'string' && /^openclaw(?:$|[-.:])/.test(name);
}
