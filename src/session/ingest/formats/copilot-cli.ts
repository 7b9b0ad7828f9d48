/**
 * Sessions of the GitHub Copilot CLI, stored or printed (`--output-format json`): one event per line. Tokens are
 * written only when a session is left (`session.shutdown`), for the time since it was last resumed, sub-agents
 * included; after a crash they are unknown. Its costs are shares of an allowance, not money.
 */
import {
  asArray,
  asCount,
  asObject,
  asObjects,
  asText,
  parsed,
  shown,
  usageOf,
} from '../json/json-fields.ts';
import { pushBounded, remember } from './bounded-map.ts';
import {
  anyRecord,
  type ChatState,
  chatAdapter,
  type Line,
  type Outcome,
  sendCall,
  sendResult,
  sendUser,
  unlessZero,
  usageApart,
} from './chat.ts';

type State = ChatState & {
  /** Emitted calls, and the user's answer to them. */
  readonly calls: Map<string, 'asked' | 'denied'>;
  /** Calls of the session itself that are still open. */
  pending: string[];
  /** A question about a permission → the call it is about. */
  readonly requests: Map<string, string>;
  /** Emitted sub-agents, by the call that started them. */
  readonly children: Map<string, true>;
  /** Printed: each request states its tokens, so that the sum at the end would count them again. */
  counted: boolean;
};

/** Readers get the event's data as their record, and its id in `eventId`. */
export const copilotCliAdapter = chatAdapter<State>({
  detect: anyRecord((record) => {
    const isEvent = asText(record.id) && 'parentId' in record && asText(record.timestamp);
    const isKnown = /^(?:session|user|assistant|tool)\.[a-z_]+$/.test(asText(record.type) ?? '');
    return asObject(record.data) !== undefined && Boolean(isEvent) && isKnown;
  }),
  start: () => ({
    calls: new Map(),
    pending: [],
    requests: new Map(),
    children: new Map(),
    counted: false,
  }),
  within: (record) => {
    const { type, id, timestamp, sessionId } = record;
    const data = type === 'result' ? record : (asObject(record.data) ?? {});
    return [{ ...data, sessionId: data.sessionId ?? sessionId, eventType: type, eventId: id, timestamp }];
  },
  sessionOf: ({ parentToolCallId }, state) => {
    const parent = asText(parentToolCallId);
    return parent === undefined ? state.session : childId(state, parent);
  },
  kind: ({ eventType }) => asText(eventType),
  before: ({ state, record, send }) => {
    if (record.eventType === 'session.start' || record.eventType === 'result')
      state.session = asText(record.sessionId) ?? state.session;
    const call = asText(record.parentToolCallId);
    if (call === undefined || state.children.has(call)) return;
    remember(state.children, call, true);
    send({
      kind: 'session',
      agent: 'copilot-cli',
      sessionId: childId(state, call),
      trigger: 'subagent',
      parentSessionId: state.session,
    });
  },
  ignored: `session.info session.warning session.usage_checkpoint session.auto_mode_resolved session.compaction_start
    session.handoff session.import_legacy session.mode_changed session.plan_changed session.context_changed
    session.title_changed session.workspace_file_changed assistant.turn_start assistant.turn_end assistant.intent
    assistant.reasoning hook.start hook.end skill.invoked system.message system.notification subagent.selected
    tool.user_requested session.tools_updated session.idle session.usage_info session.background_tasks_changed
    session.skills_loaded session.mcp_servers_loaded session.mcp_server_status_changed session.custom_agents_updated
    session.snapshot_rewind assistant.message_delta assistant.reasoning_delta assistant.streaming_delta
    tool.execution_progress tool.execution_partial_result model.call_failure`,
  readers: {
    'session.start': readSession,
    'session.resume': readSession,
    'session.model_change': ({ state, record, send }) => {
      state.model = asText(record.newModel) ?? state.model;
      send({ kind: 'session', model: state.model });
    },
    'session.shutdown': readShutdown,
    'session.error': ({ send }) => send({ kind: 'reply', text: '', usageElsewhere: true, stop: 'error' }),
    'session.compaction_complete': ({ record, send }) => {
      if (record.success !== false) send({ kind: 'compaction' });
    },
    'session.truncation': ({ send }) => send({ kind: 'compaction' }),
    'session.task_complete': ({ send }) => send({ kind: 'end', reason: 'normal' }),
    'assistant.usage': readRequestUsage,
    result: ({ record, send }) => send({ kind: 'end', reason: record.exitCode === 0 ? 'normal' : 'error' }),
    abort: readAbort,
    'user.message': readUser,
    'assistant.message': readMessage,
    // Calls are in the message as well as at their start; older versions write only one of them.
    'tool.execution_start': (line) => {
      const { toolCallId, toolName, arguments: input } = line.record;
      readCall(line, toolCallId, toolName, input);
    },
    'tool.execution_complete': readComplete,
    'permission.requested': ({ state, record }) => {
      const request = asText(record.requestId);
      const call = asText(asObject(record.permissionRequest)?.toolCallId) ?? asText(record.toolCallId);
      if (request !== undefined && call !== undefined) remember(state.requests, request, call);
    },
    'permission.completed': readPermission,
    'subagent.started': (line) => readSpawn(line, undefined),
    'subagent.completed': (line) => readSpawn(line, line.record.cancelled === true ? undefined : true),
    'subagent.failed': (line) => readSpawn(line, false),
  },
  // Events have random ids, which a copy of the file has as well.
  entryKey: (record) => asText(asObject(record)?.id),
});

/** Messages of a sub-agent are among the events of its parent, under the call that started it. */
function childId(state: State, call: string): string {
  return `${state.session ?? ''}:${call}`;
}

function readSession({ state, record, send }: Line<State>): void {
  const context = asObject(record.context);
  state.model = asText(record.selectedModel) ?? state.model;
  send({
    kind: 'session',
    agent: 'copilot-cli',
    sessionId: state.session,
    model: state.model,
    project: asText(context?.cwd) ?? asText(context?.gitRoot),
  });
}

/** `source` names the author of a message that nobody typed; an automatic continuation has one too. */
function readUser({ record, send }: Line<State>): void {
  const source = asText(record.source);
  const isRuntime = record.isAutopilotContinuation === true || (source !== undefined && source !== 'user');
  const isChild = asText(record.parentToolCallId) !== undefined;
  const origin = isRuntime ? 'runtime' : isChild ? 'subagent' : 'user';
  sendUser(send, asText(record.content) ?? '', origin, asArray(record.attachments).length > 0);
}

function readMessage(line: Line<State>): void {
  const { state, record, send } = line;
  const requests = asObjects(record.toolRequests);
  send({
    kind: 'reply',
    text: asText(record.content) ?? '',
    usageElsewhere: true,
    stop: requests.length > 0 ? 'tool' : 'end',
    messageId: asText(record.messageId) ?? asText(record.eventId),
    model: asText(record.model) ?? state.model,
  });
  for (const request of requests) readCall(line, request.toolCallId, request.name, request.arguments);
}

const MAX_PENDING = 64;

function readCall({ state, record, send }: Line<State>, id: unknown, name: unknown, input: unknown): void {
  const callId = asText(id);
  if (callId === undefined || state.calls.has(callId)) return;
  remember(state.calls, callId, 'asked');
  if (asText(record.parentToolCallId) === undefined) pushBounded(state.pending, callId, MAX_PENDING);
  sendCall(send, callId, name, parsed(input));
}

/** A refusal is in the answer to the permission request, with the user's comment; the call itself only fails. */
function readPermission({ state, record, send }: Line<State>): void {
  const call = asText(record.toolCallId) ?? state.requests.get(asText(record.requestId) ?? '');
  const answer = asObject(record.result);
  const kind = asText(answer?.kind) ?? '';
  if (call === undefined || !kind.startsWith('denied')) return;
  remember(state.calls, call, 'denied');
  const byRule = kind.includes('by-user') ? undefined : true;
  sendResult(send, call, { denied: true, byRule, reason: asText(answer?.feedback) });
}

/** What was executed was called, though the file began later or has lost that line. */
function readComplete(line: Line<State>): void {
  const { state, record, send } = line;
  const callId = asText(record.toolCallId);
  if (callId === undefined) return;
  readCall(line, callId, record.toolName, undefined);
  state.pending = state.pending.filter((one) => one !== callId);
  const text = shown(asObject(record.result)?.content) ?? asText(asObject(record.error)?.message) ?? '';
  sendResult(send, callId, { ...outcomeOf(line, callId), text });
}

/** A failed command is a successful call of its tool: its exit code shows the failure. */
function outcomeOf({ state, record }: Line<State>, callId: string): Outcome {
  const code = asText(asObject(record.error)?.code);
  const isRefused = code === 'denied' || code === 'rejected';
  if (isRefused || state.calls.get(callId) === 'denied') return { denied: true };
  if (typeof record.success !== 'boolean') return {};
  const contents = asObjects(asObject(record.result)?.contents);
  const failed = contents.some(({ exitCode }) => typeof exitCode === 'number' && exitCode !== 0);
  return { ok: record.success && !failed };
}

/** Running out of an allowance is not a user's decision. */
function readAbort({ state, record, send }: Line<State>): void {
  if (record.reason === 'autopilot_credit_limit') {
    send({ kind: 'end', reason: 'limit' });
    return;
  }
  // The user stopped whatever was still running.
  for (const callId of state.pending.splice(0)) sendResult(send, callId, { denied: true });
  send({ kind: 'interrupt' });
}

function readSpawn({ state, record, send }: Line<State>, ok: boolean | undefined): void {
  const call = asText(record.toolCallId);
  if (call !== undefined) send({ kind: 'spawn', spawnId: call, sessionId: childId(state, call), ok });
}

/** The input includes tokens read from and written to the cache; reasoning is part of the output. */
function readShutdown({ state, record, send }: Line<State>): void {
  if (record.shutdownType === 'error') send({ kind: 'end', reason: 'error' });
  if (state.counted) return;
  const used = Object.entries(asObject(record.modelMetrics) ?? {}).flatMap(([model, metrics]) => {
    const usage = countedIn(asObject(metrics)?.usage);
    return usage === undefined ? [] : [{ model, usage }];
  });
  // Without usage per model: the billed kinds of tokens, each separately.
  const details = asObject(record.tokenDetails) ?? {};
  const billed = ['input', 'output', 'cache_read', 'cache_write'].map(
    (kind) => asCount(asObject(details[kind])?.tokenCount) ?? 0,
  );
  const usage = unlessZero(usageApart(billed[0], billed[1], billed[2], billed[3]));
  if (used.length === 0 && usage !== undefined)
    used.push({ model: asText(record.currentModel) ?? state.model ?? '', usage });
  for (const { model, usage } of used) {
    const messageId = `${asText(record.eventId) ?? 'shutdown'} ${model}`;
    send({ kind: 'reply', text: '', messageId, usage, usageOfSeveral: true, model: asText(model) });
  }
}

function countedIn(value: unknown) {
  const counts = asObject(value);
  return usageOf(
    counts?.inputTokens,
    counts?.outputTokens,
    counts?.cacheReadTokens,
    counts?.cacheWriteTokens,
  );
}

/** Not in stored files: only printed output of some versions has it. */
function readRequestUsage({ state, record, send }: Line<State>): void {
  const usage = countedIn(record);
  if (usage === undefined) return;
  state.counted = true;
  const id = asText(record.eventId);
  const model = asText(record.model) ?? state.model;
  send({ kind: 'reply', text: '', usage, messageId: id && `usage ${id}`, model });
}
