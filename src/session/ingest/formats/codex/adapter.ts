/** Rollouts of the Codex CLI (`~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`), old and new. */
import type { EndReason, Trigger } from '../../../event.ts';
import { hashKey } from '../../duplicates/entry-keys.ts';
import {
  asArray,
  asObject,
  asText,
  asTime,
  contentText,
  type JsonObject,
  sampled,
} from '../../json/json-fields.ts';
import { pushBounded } from '../bounded-map.ts';
import { type ChatState, chatAdapter, type Line, type Read } from '../chat.ts';
import { taggedCommand } from '../user-command.ts';
import {
  readCommandEnd,
  readDynamicRequest,
  readDynamicResponse,
  readFunctionCall,
  readFunctionOutput,
  readHostedCall,
  readMcpEnd,
  readPatchEnd,
  readSearchOutput,
} from './tools.ts';
import { readTokenCount, readTurnUsage, responseId, skipTokenCount, type Totals } from './usage.ts';

/** A user message lately seen: hashes of its text and of its parts, and which kinds of record showed it. */
type Said = { readonly hashes: readonly number[]; sources: number };

export type CodexState = ChatState & {
  /** A fork begins with the history of the session it left: `undefined` when none is being replayed. */
  forkedFrom?: string | undefined;
  /** Stays true when the replay is over. */
  isFork: boolean;
  replayUntil?: number | undefined;
  trigger?: Trigger;
  totals?: Totals;
  /** Model responses so far; each one ends with its token count. */
  responses: number;
  /** Of the two records of a compaction, the one that waits for the other. */
  compaction?: 'event' | 'record' | undefined;
  readonly said: Said[];
  /** Calls seen, by id, with the name of their tool. */
  readonly calls: Map<string, string>;
  /** The last call of a tool whose calls have no ids. */
  readonly unnamedCalls: Map<string, string>;
  /** Background process → the call that started it; polling call → the process. */
  readonly processes: Map<string, string>;
  readonly polls: Map<string, string>;
};

/** The record is the payload, where there is an envelope. */
export type CodexLine = Line<CodexState>;
type Reader = Read<CodexState>;

function newSession(): CodexState {
  return {
    session: undefined,
    forkedFrom: undefined,
    replayUntil: undefined,
    trigger: undefined,
    model: undefined,
    provider: undefined,
    totals: undefined,
    compaction: undefined,
    isFork: false,
    responses: 0,
    said: [],
    calls: new Map(),
    unnamedCalls: new Map(),
    processes: new Map(),
    polls: new Map(),
  };
}

/** Of the conversation. */
const ITEMS: Readonly<Record<string, Reader>> = {
  message: readMessage,
  agent_message: readAgentMessage,
  function_call: readFunctionCall,
  custom_tool_call: readFunctionCall,
  local_shell_call: readFunctionCall,
  tool_search_call: readFunctionCall,
  tool_call: readFunctionCall,
  function_call_output: readFunctionOutput,
  custom_tool_call_output: readFunctionOutput,
  local_shell_call_output: readFunctionOutput,
  tool_search_output: readSearchOutput,
  tool_result: readFunctionOutput,
  function_result: readFunctionOutput,
  web_search_call: (line) => readHostedCall(line, 'web_search'),
  image_generation_call: (line) => readHostedCall(line, 'image_generation'),
};

/** The kinds of record that can show the same user message. */
const [SAID_BY_EVENT, SAID_BY_ITEM, SAID_BY_COMPLETION] = [1, 2, 4];

/** What the program itself reports. */
const EVENTS: Readonly<Record<string, Reader>> = {
  user_message: (line) => readUserParts(line, line.record.message, SAID_BY_EVENT),
  token_count: readTokenCount,
  'turn.completed': (line) => {
    readTurnUsage(line);
    line.send({ kind: 'end', reason: 'normal' });
  },
  task_complete: readTaskComplete,
  turn_complete: readTaskComplete,
  'turn.failed': ({ send }) => send({ kind: 'end', reason: 'error' }),
  turn_aborted: readAborted,
  error: ({ record, send }) => send({ kind: 'end', reason: errorReason(record) }),
  context_compacted: (line) => readCompaction(line, 'event'),
  exec_command_end: (line) => readCommandEnd(line, line.record),
  mcp_tool_call_end: (line) => readMcpEnd(line, line.record),
  patch_apply_end: (line) => readPatchEnd(line, line.record),
  dynamic_tool_call_request: readDynamicRequest,
  dynamic_tool_call_response: readDynamicResponse,
  collab_agent_spawn_end: (line) => sendSpawn(line, line.record.new_thread_id, line.record.status),
  collab_waiting_end: (line) => {
    for (const item of asArray(line.record.agent_statuses))
      sendSpawn(line, asObject(item)?.thread_id, asObject(item)?.status);
    for (const [thread, status] of Object.entries(asObject(line.record.statuses) ?? {}))
      sendSpawn(line, thread, status);
  },
  collab_close_end: (line) => sendSpawn(line, line.record.receiver_thread_id, line.record.status),
  collab_agent_interaction_end: (line) => sendSpawn(line, line.record.receiver_thread_id, line.record.status),
  item_completed: readCompleted,
  undo_completed: ({ record, send }) => {
    if (record.success === true) send({ kind: 'acceptance', value: 0, what: 'undone by the user' });
  },
};

/** Known, and either repeated elsewhere or not measured. */
const IGNORED: Readonly<Record<string, ReadonlySet<string>>> = {
  record: words(
    'world_state inter_agent_communication inter_agent_communication_metadata token_usage_record',
  ),
  response_item: words(
    'reasoning ghost_snapshot compaction compaction_summary context_compaction additional_tools',
  ),
  event_msg: words(`account/rateLimits/updated agent_message agent_message_delta agent_reasoning
    agent_reasoning_raw_content agent_reasoning_section_break background_event codex/event/raw_item
    collab_agent_interaction_begin collab_agent_spawn_begin collab_close_begin collab_waiting_begin deprecation_notice
    entered_review_mode exec_command_begin exited_review_mode guardian_assessment image_generation_end item_started
    mcp_tool_call_begin patch_apply_begin plan_update stream_error sub_agent_activity task_started thread_goal_updated
    thread_name_updated thread_rolled_back thread_settings_applied turn_diff turn_started view_image_tool_call warning
    web_search_begin web_search_end`),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

export const codexAdapter = chatAdapter<CodexState>({
  detect: ({ records }) => {
    const found = sampled(records, false);
    return found.some(isEnvelope) || (isLegacyHeader(found[0]) && found.some(isLegacyItem));
  },
  start: newSession,
  times: ({ timestamp, created_at }) => [timestamp ?? created_at],
  kind: ({ payload }) => (asObject(payload) === undefined ? 'flat' : 'envelope'),
  readers: { flat: readFlat, envelope: readEnvelope },
  entryKey,
});

function readEnvelope(line: CodexLine): unknown {
  const { state, record } = line;
  const type = asText(record.type);
  const payload = asObject(record.payload) ?? {};
  const at = asTime(record.timestamp ?? record.created_at);
  const inner = { ...line, record: payload };
  if (type === 'session_meta') return readHeader(inner, at);
  if (type === 'turn_context') {
    state.model = asText(payload.model) ?? state.model;
    return undefined;
  }
  if (isReplayed(state, at)) {
    if (payload.type === 'token_count') skipTokenCount(state, payload.info);
    return undefined;
  }
  if (type === 'event_msg') return readTyped(inner, type, EVENTS);
  if (type === 'response_item') return readTyped(inner, type, ITEMS);
  if (type === 'compacted') return readCompaction(inner, 'record');
  return type !== undefined && IGNORED.record?.has(type) ? undefined : (type ?? '(no type)');
}

function readTyped(line: CodexLine, outer: string, readers: Readonly<Record<string, Reader>>): unknown {
  const type = asText(line.record.type);
  if (type === undefined) return outer;
  if (Object.hasOwn(readers, type)) return readers[type]?.(line);
  return IGNORED[outer]?.has(type) ? undefined : `${outer}/${type}`;
}

/** The first versions wrote items without an envelope, below a header without a type. */
function readFlat(line: CodexLine): unknown {
  const { record, state } = line;
  state.model = asText(record.model) ?? state.model;
  const type = asText(record.type);
  if (type !== undefined && type !== 'message')
    return readTyped(line, 'response_item', ITEMS) === undefined ? undefined : type;
  if (asText(record.role) !== undefined) return readMessage(line);
  if (isFlatHeader(record)) return readHeader(line, asTime(record.timestamp ?? record.created_at));
  return record.record_type === undefined ? '(no type)' : undefined;
}

function isFlatHeader(fields: JsonObject): boolean {
  return asText(fields.id) !== undefined && fields.timestamp !== undefined && fields.type === undefined;
}

const ENVELOPES: ReadonlySet<unknown> = words(
  'session_meta turn_context response_item event_msg compacted world_state',
);

function isEnvelope({ type, payload }: JsonObject): boolean {
  return ENVELOPES.has(type) && asObject(payload) !== undefined;
}

function isLegacyHeader(record: JsonObject | undefined): boolean {
  return record !== undefined && isFlatHeader(record) && 'instructions' in record;
}

function isLegacyItem(record: JsonObject): boolean {
  return record.record_type === 'state' || (record.type === 'message' && asText(record.role) !== undefined);
}

/**
 * Lines have no id, but their time and subject identify them: an archived copy of a rollout has the same lines. (Forks
 * rewrite the times of copied lines; the header shows that.)
 */
function entryKey(record: unknown): string | undefined {
  const fields = asObject(record);
  const payload = asObject(fields?.payload);
  const timestamp = asText(fields?.timestamp);
  if (payload === undefined || timestamp === undefined || asTime(timestamp) === undefined) return undefined;
  const total = asObject(asObject(payload.info)?.total_token_usage)?.total_tokens;
  const about =
    asText(payload.call_id) ??
    asText(payload.id) ??
    asText(payload.turn_id) ??
    asText(payload.message)?.slice(0, 80) ??
    asText(payload.text)?.slice(0, 80) ??
    (typeof total === 'number' ? String(total) : undefined);
  return about && `${timestamp} ${asText(fields?.type)} ${asText(payload.type)} ${about}`;
}

/**
 * The first header of a file names its session. The header of another session is either the beginning of the history
 * that a fork took along, or the beginning of another rollout in the same stream.
 */
function readHeader({ state, record, send }: CodexLine, at: number | undefined): void {
  const id = asText(record.id) ?? asText(record.session_id);
  if (id === undefined || id === state.session) return;
  if (state.session !== undefined && (state.replayUntil !== undefined || id === state.forkedFrom)) {
    state.replayUntil ??= at;
    return;
  }
  if (state.session !== undefined) Object.assign(state, newSession());
  state.session = id;
  state.forkedFrom = asText(record.forked_from_id);
  state.isFork = state.forkedFrom !== undefined;
  state.provider = asText(record.model_provider);
  const stated = asObject(record.source)?.subagent;
  const child = asObject(stated) ?? asText(stated);
  if (child !== undefined) state.trigger = 'subagent';
  const spawn = asObject(asObject(stated)?.thread_spawn);
  const parent = asText(spawn?.parent_thread_id) ?? asText(record.parent_thread_id);
  send({
    kind: 'session',
    sessionId: id,
    agent: 'codex',
    provider: state.provider,
    trigger: state.trigger,
    parentSessionId: child === undefined ? undefined : parent,
    project: asText(record.cwd),
  });
}

/** Copied history is written in one go: lines without a pause between them, or older than the fork itself. */
const PAUSE_MS = 1000;

/** True while the line belongs to the copied history of a fork; it counts where it happened. */
function isReplayed(state: CodexState, at: number | undefined): boolean {
  if (state.replayUntil === undefined) return false;
  if (at === undefined || at > state.replayUntil + PAUSE_MS) {
    state.replayUntil = undefined;
    state.forkedFrom = undefined;
    return false;
  }
  state.replayUntil = Math.max(state.replayUntil, at);
  return true;
}

function readMessage(line: CodexLine): void {
  const { state, record, send } = line;
  const content = record.content ?? record.message;
  if (record.role === 'user') readUserParts(line, content, SAID_BY_ITEM);
  const text = record.role === 'assistant' ? contentText(record.content) || contentText(record.message) : '';
  if (text === '') return;
  const { model, provider } = state;
  send({ kind: 'reply', text, messageId: responseId(state), usageElsewhere: true, model, provider });
}

/** One user message may come as an event, as an item of the conversation and as a completed item: it counts once. */
function readUserParts({ state, send }: CodexLine, content: unknown, source: number): void {
  const parts = typeof content === 'string' ? [content] : asArray(content).map(partText);
  const spoken = parts.filter((part) => part !== '' && !isRuntimeText(part));
  const text = spoken.join('\n');
  for (const ran of parts.flatMap((part) => taggedCommand(part) ?? [])) send(ran);
  if (text === '') {
    if (parts.some((part) => part !== '')) send({ kind: 'user', origin: 'runtime', text: '' });
  } else if (isNew(state.said, [text, ...spoken], source))
    send({ kind: 'user', origin: state.trigger === 'subagent' ? 'subagent' : 'user', text });
}

function partText(part: unknown): string {
  return asText(part) ?? asText(asObject(part)?.text) ?? '';
}

/** Messages between agents of one session are the program's; the first one of a sub-agent is its task. */
function readAgentMessage(line: CodexLine): void {
  const { state, record, send } = line;
  const text = contentText(record.content);
  if (text === '') return;
  if (state.trigger === 'subagent' && state.said.length === 0) readUserParts(line, text, SAID_BY_ITEM);
  else send({ kind: 'user', origin: 'runtime', text: '' });
}

const MAX_SAID = 16;
/** Characters to compare; different records write images and attachments differently. */
const COMPARED = 400;

function isNew(said: Said[], texts: readonly string[], source: number): boolean {
  const hashes = texts.map((text) => hashKey(text.trim().slice(0, COMPARED)));
  const known = said.find(
    (one) => (one.sources & source) === 0 && one.hashes.some((hash) => hashes.includes(hash)),
  );
  if (known === undefined) pushBounded(said, { hashes: hashes.slice(0, 8), sources: source }, MAX_SAID);
  else known.sources |= source;
  return known === undefined;
}

const RUNTIME_STARTS = ['# AGENTS.md instructions', 'Another language model started to solve this problem'];

/** Context that the program adds with the user role is wrapped in a tag of its own. */
function isRuntimeText(text: string): boolean {
  const trimmed = text.trim();
  if (RUNTIME_STARTS.some((start) => trimmed.startsWith(start))) return true;
  const tag = /^<([A-Za-z][\w -]{0,48})>/.exec(trimmed)?.[1];
  return tag !== undefined && trimmed.endsWith(`</${tag}>`);
}

function readTaskComplete({ record, send }: CodexLine): void {
  const error = asObject(record.error);
  send({ kind: 'end', reason: error === undefined ? 'normal' : errorReason(error) });
}

function errorReason(error: JsonObject): EndReason {
  const info = error.codex_error_info;
  const kind = typeof info === 'string' ? info : Object.keys(asObject(info) ?? {})[0];
  return kind?.startsWith('context_window') ? 'limit' : 'error';
}

function readAborted({ record, send }: CodexLine): void {
  if (record.reason === 'review_ended') send({ kind: 'end', reason: 'normal' });
  else if (record.reason === 'budget_limited') send({ kind: 'end', reason: 'limit' });
  else send({ kind: 'interrupt' });
}

/** A compaction writes an event and a record; the second one of a pair is not another compaction. */
function readCompaction({ state, send }: CodexLine, source: 'event' | 'record'): void {
  const isSecond = state.compaction !== undefined && state.compaction !== source;
  state.compaction = isSecond ? undefined : source;
  if (!isSecond) send({ kind: 'compaction' });
}

/** The status is `"running"`, `"not_found"`, `{ completed: "…" }` or `{ errored: "…" }`. */
function sendSpawn({ send }: CodexLine, thread: unknown, status: unknown): void {
  const sessionId = asText(thread);
  if (sessionId === undefined) return;
  const fields = asObject(status);
  const name = fields === undefined ? status : Object.keys(fields)[0];
  const failed = name === 'errored' || name === 'failed' || name === 'not_found';
  send({
    kind: 'spawn',
    spawnId: sessionId,
    sessionId,
    ok: name === 'completed' ? true : failed ? false : undefined,
  });
}

/** Newer versions write finished items; words of the model among them are in the conversation already. */
function readCompleted(line: CodexLine): void {
  const item = asObject(line.record.item);
  if (item?.type === 'UserMessage') readUserParts(line, item.content, SAID_BY_COMPLETION);
  else if (item?.type === 'CommandExecution') readCommandEnd(line, item);
  else if (item?.type === 'McpToolCall') readMcpEnd(line, item);
  else if (item?.type === 'FileChange') readPatchEnd(line, item);
}
