/** Transcripts of OpenClaw (and of Clawdbot and Moltbot, its earlier names): JSONL of all ages, and rows of its stores. */
import { asObject, asText, contentText, type JsonObject } from '../../json/json-fields.ts';
import { type Call, type ChatState, chatAdapter, type Line } from '../chat.ts';
import { isDatabaseWith } from '../database-sessions.ts';
import type { Sample } from '../format.ts';
import {
  hasTypedEntries,
  messageOf,
  readHeader,
  readReply,
  TYPED_ENTRIES,
  typedCalls,
} from '../typed-entries.ts';
import { agentOfPath } from './names.ts';
import { readSidecars } from './sidecar.ts';
import { storeSessions } from './sqlite.ts';
import {
  noteProcessCall,
  readExecNotice,
  readReturns,
  readSpawnCall,
  readToolResult,
  SPAWN_TOOL,
  type ToolState,
} from './tools.ts';
import { readUserText, type UserOrigin } from './user-text.ts';

type State = ChatState &
  ToolState & {
    readonly agent: string | undefined;
    /** Who set the present run going. */
    origin: UserOrigin;
    /** Whether the model's last message was an error. */
    failed: boolean;
    /** Compactions that the transcript shows; the recorder may know of more. */
    compactions: number;
  };

/** Messages that the gateway writes in the model's name: deliveries, and answers to commands. */
const PSEUDO_MODELS: ReadonlySet<unknown> = new Set(['delivery-mirror', 'gateway-injected']);

export const openclawAdapter = chatAdapter<State>({
  ...TYPED_ENTRIES,
  detect: isOpenclaw,
  start: ({ path }) => ({
    agent: agentOfPath(path),
    origin: 'user',
    failed: false,
    compactions: 0,
    background: [],
    processCalls: [],
    spawned: [],
  }),
  // A new history window in the same session: the runs on either side are separate anyway.
  ignored: `${TYPED_ENTRIES.ignored} reset`,
  readers: {
    ...TYPED_ENTRIES.readers,
    session: (line) => {
      readHeader(line);
      if (line.state.agent !== undefined) line.send({ kind: 'session', agent: line.state.agent });
    },
    compaction: ({ state, send }) => {
      state.compactions += 1;
      send({ kind: 'compaction' });
    },
    custom: readCustom,
    custom_message: (line) => {
      const text = contentText(line.record.content);
      readReturns(line, text);
      line.send({ kind: 'user', origin: 'runtime', text });
    },
    'message user': readUser,
    'message assistant': readAssistant,
    'message toolResult': readToolResult,
  },
  sidecar: readSidecars,
  shownCompactions: ({ compactions }) => compactions,
  store: {
    isStore: (path) =>
      isDatabaseWith(path, { transcript_events: ['session_id', 'event_json'] }) ||
      isDatabaseWith(path, { transcript_events: ['session_id', 'event_zstd'] }),
    sessions: storeSessions,
  },
});

function readUser(line: Line<State>): void {
  const { state, send } = line;
  const { origin, text, notices } = readUserText(messageOf(line));
  for (const notice of notices) readExecNotice(line, notice);
  if (origin === 'runtime') {
    readExecNotice(line, text);
    readReturns(line, text);
  } else {
    state.origin = origin;
    state.failed = false;
  }
  send({ kind: 'user', origin, text: text === '' ? notices.join('\n') : text });
}

function readAssistant(line: Line<State>): void {
  const { state, send } = line;
  const message = messageOf(line);
  if (message.provider === 'openclaw' && PSEUDO_MODELS.has(message.model)) return;
  const said = withHeartbeat(message, typedCalls(message, line.line));
  const stop = readReply(line, said, (callId, tool, input) => {
    if (tool === 'process') noteProcessCall(state, callId, input);
    if (tool === SPAWN_TOOL) readSpawnCall(line, callId, input);
  });
  state.failed = stop === 'error';
  // Nobody stops a heartbeat or a cron run by hand, and a timeout is not a user's decision.
  const isLate = /time[d -]{0,2}out/i.test(asText(message.errorMessage)?.slice(0, 400) ?? '');
  if (stop === 'aborted' && state.origin === 'user' && !isLate) send({ kind: 'interrupt' });
}

/** Newer versions answer a heartbeat with a call that has a field instead of HEARTBEAT_OK. */
function withHeartbeat(message: JsonObject, calls: readonly Call[]): JsonObject {
  const answer = asObject(calls.find(({ name }) => name === 'heartbeat_respond')?.input);
  if (answer === undefined || !Array.isArray(message.content)) return message;
  const isQuiet = answer.outcome === 'no_change' && answer.notify !== true;
  const text = isQuiet ? 'HEARTBEAT_OK' : (asText(answer.notificationText) ?? asText(answer.summary) ?? '');
  return text === '' ? message : { ...message, content: [...message.content, { type: 'text', text }] };
}

function readCustom({ state, record, send }: Line<State>): void {
  const data = asObject(record.data);
  if (record.customType === 'model-snapshot') {
    const [model, provider] = [asText(data?.modelId), asText(data?.provider)];
    state.model = model ?? state.model;
    state.provider = provider ?? state.provider;
    send({ kind: 'session', model, provider });
  }
  // The model could not be reached. Its message may say so too, and counts once.
  if (record.customType === 'openclaw:prompt-error' && !state.failed) {
    state.failed = true;
    const stop = /\babort/i.test(asText(data?.error)?.slice(0, 400) ?? '') ? 'aborted' : 'error';
    send({ kind: 'reply', text: '', stop, model: state.model, provider: state.provider });
  }
}

// OpenClaw writes pi's entries; these traces distinguish its transcripts from pi's.

/** Tools that OpenClaw has and pi has not (pi: read, bash, edit, write, grep, find, ls). */
const TOOLS: ReadonlySet<unknown> = new Set(
  `exec process cron gateway message web_fetch web_search memory_search memory_get sessions_list sessions_history
   sessions_send sessions_spawn sessions_yield session_status heartbeat_respond`.split(/\s+/),
);

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
