/**
 * Streams of `codex exec --json`: items that begin and complete under one id. They have no times, model, prompt or
 * folder; sub-agents appear only in the calls that start them, and tokens are those of the whole thread so far. Earlier
 * builds print protocol events, each as `msg` under the id of its submission.
 */
import type { Usage } from '../../event.ts';
import {
  asArray,
  asObject,
  asObjects,
  asText,
  contentText,
  type JsonObject,
  shown,
  usageOf,
} from '../json/json-fields.ts';
import { remember } from './bounded-map.ts';
import {
  anyRecord,
  type ChatState,
  chatAdapter,
  exited,
  type Line,
  type Outcome,
  type Read,
  sendCall,
  sendResult,
  usageSince,
} from './chat.ts';

type State = ChatState & {
  /** Turns so far: items are numbered anew in each run of a thread. */
  runs: number;
  /** Calls that were emitted. */
  readonly calls: Map<string, true>;
  total: Usage | undefined;
};
type Call = { readonly tool: string; readonly input: unknown };

export const codexExecAdapter = chatAdapter<State>({
  detect: anyRecord((record) => {
    if (isProtocolLine(record)) return true;
    if (record.type === 'thread.started') return asText(record.thread_id) !== undefined;
    if (record.type !== 'item.started' && record.type !== 'item.completed') return false;
    const item = asObject(record.item);
    return asText(item?.id) !== undefined && asText(item?.type) !== undefined;
  }),
  start: () => ({ runs: 0, calls: new Map(), total: undefined }),
  times: () => [],
  kind: (record) => {
    if (isProtocolLine(record)) return 'protocol';
    return asText(record.type) ?? (isSettings(record) || isPrompt(record) ? 'settings' : undefined);
  },
  // Retried requests are reported as errors too; the end of the turn says whether it failed.
  ignored: 'turn.started error',
  readers: {
    protocol: (line) => readProtocol({ ...line, record: asObject(line.record.msg) ?? {} }),
    settings: readSettings,
    'thread.started': ({ state, record, send }) => {
      const thread = asText(record.thread_id);
      if (thread !== state.session) state.total = undefined;
      state.session = thread ?? state.session;
      state.runs += 1;
      send({ kind: 'session', agent: 'codex', sessionId: state.session });
    },
    'turn.completed': (line) => {
      readTotal(line, line.record.usage);
      line.send({ kind: 'end', reason: 'normal' });
    },
    'turn.failed': ({ send }) => {
      send({ kind: 'reply', text: '', usageElsewhere: true, stop: 'error' });
      send({ kind: 'end', reason: 'error' });
    },
    'item.started': (line) => readItem(line, false),
    'item.updated': (line) => readItem(line, false),
    'item.completed': (line) => readItem(line, true),
  },
});

function isProtocolLine({ id, msg }: JsonObject): boolean {
  return asText(id) !== undefined && asText(asObject(msg)?.type) !== undefined;
}

function isSettings({ workdir, model }: JsonObject): boolean {
  return asText(workdir) !== undefined && asText(model) !== undefined;
}

function isPrompt({ prompt }: JsonObject): boolean {
  return typeof prompt === 'string';
}

/** What was asked, and with which settings. */
function readSettings({ record, send }: Line<State>): void {
  if (typeof record.prompt === 'string') send({ kind: 'user', origin: 'user', text: record.prompt });
  if (!isSettings(record)) return;
  send({
    kind: 'session',
    agent: 'codex',
    model: asText(record.model),
    project: asText(record.workdir),
    provider: asText(record.provider),
  });
}

/** The input includes cached tokens, the output includes reasoning. */
function readTotal({ state, line, send }: Line<State>, stated: unknown): void {
  const counts = asObject(stated);
  const total = usageOf(
    counts?.input_tokens,
    counts?.output_tokens,
    counts?.cached_input_tokens,
    counts?.cache_write_input_tokens,
  );
  if (total === undefined) return;
  const usage = usageSince(total, state.total);
  state.total = total;
  send({ kind: 'reply', text: '', messageId: `turn at ${line}`, usage, usageOfSeveral: true });
}

/** The model's text, and its calls, which begin and end under one id. */
function readItem(line: Line<State>, isDone: boolean): unknown {
  const { state, record, send } = line;
  const item = asObject(record.item) ?? {};
  const id = `${state.runs}/${asText(item.id) ?? ''}`;
  const type = asText(item.type) ?? '(no type)';
  if (type === 'agent_message' && isDone)
    send({ kind: 'reply', messageId: id, text: asText(item.text) ?? '', usageElsewhere: true });
  if (/^(?:agent_message|reasoning|todo_list|error)$/.test(type)) return undefined;
  const call = callOf(item);
  if (call === undefined) return `item ${type}`;
  callOnce(line, id, call);
  if (isDone) {
    sendResult(send, id, outcomeOf(item));
    if (type === 'collab_tool_call') readAgents(line, item);
  }
  return undefined;
}

function callOf(item: JsonObject): Call | undefined {
  switch (item.type) {
    case 'command_execution':
      return { tool: 'shell', input: { command: item.command ?? null } };
    case 'file_change':
      return { tool: 'apply_patch', input: patchOf(item) };
    case 'mcp_tool_call':
      return { tool: asText(item.tool) ?? 'unknown', input: item.arguments };
    case 'collab_tool_call':
      return { tool: asText(item.tool) ?? 'unknown', input: { prompt: item.prompt ?? null } };
    case 'web_search':
      return { tool: 'web_search', input: { query: item.query ?? null } };
    default:
      return undefined;
  }
}

/** Changes without their text, in the words of the tool. */
function patchOf({ changes }: JsonObject): JsonObject {
  const words: Readonly<Record<string, string>> = { add: 'Add', delete: 'Delete' };
  const lines = asObjects(changes).map(
    ({ path, kind }) => `*** ${words[asText(kind) ?? ''] ?? 'Update'} File: ${asText(path) ?? ''}`,
  );
  return { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') };
}

function callOnce({ state, send }: Line<State>, id: unknown, { tool, input }: Call): void {
  const callId = asText(id);
  if (callId === undefined || state.calls.has(callId)) return;
  remember(state.calls, callId, true);
  sendCall(send, callId, tool, input);
}

function outcomeOf(item: JsonObject): Outcome {
  const result = asObject(item.result);
  const error = asObject(item.error);
  const text =
    asText(item.aggregated_output) ??
    asText(error?.message) ??
    (result === undefined ? undefined : contentText(result.content) || shown(result));
  // Nobody is there to ask.
  if (item.status === 'declined') return { denied: true, byRule: true, text };
  if (item.status === 'in_progress') return { running: true, text };
  if (typeof item.exit_code === 'number') return { ...exited(item.exit_code), text };
  if (item.status === 'failed' || error !== undefined) return { ok: false, text };
  return item.status === 'completed' || item.type === 'web_search' ? { ok: true, text } : { text };
}

/** The state of agents is in the calls that start them and wait for them. */
function readAgents({ send }: Line<State>, item: JsonObject): void {
  const states = asObject(item.agents_states) ?? {};
  const started = item.tool === 'spawn_agent' ? asArray(item.receiver_thread_ids) : [];
  for (const sessionId of new Set([...started, ...Object.keys(states)].flatMap((id) => asText(id) ?? []))) {
    const ok = AGENT_ENDS.get(asObject(states[sessionId])?.status);
    if (ok !== undefined || started.includes(sessionId))
      send({ kind: 'spawn', spawnId: sessionId, sessionId, ok });
  }
}

/** Others are still at work, or were stopped. */
const AGENT_ENDS: ReadonlyMap<unknown, boolean> = new Map([
  ['completed', true],
  ['errored', false],
  ['failed', false],
  ['not_found', false],
]);

/** Deltas, thoughts, and records that a later one repeats. */
const IGNORED_MESSAGES =
  /_delta$|^(?:task_started|agent_reasoning.*|exec_approval_request|apply_patch_approval_request|background_event|turn_diff|plan_update|web_search_begin|mcp_list_tools_response|stream_error|user_message|warning|deprecation_notice|shutdown_complete)$/;

/** By the type of the message; a line is here with the message as its record. */
const MESSAGES: Readonly<Record<string, Read<State>>> = {
  session_configured: ({ state, record, send }) => {
    state.session = asText(record.session_id) ?? state.session;
    const about = { sessionId: state.session, model: asText(record.model), project: asText(record.cwd) };
    send({ kind: 'session', agent: 'codex', ...about });
  },
  agent_message: ({ record, line, send }) =>
    send({
      kind: 'reply',
      messageId: `line-${line}`,
      text: asText(record.message) ?? '',
      usageElsewhere: true,
    }),
  exec_command_begin: (line) =>
    callOnce(line, line.record.call_id, { tool: 'shell', input: { command: asArray(line.record.command) } }),
  patch_apply_begin: (line) =>
    callOnce(line, line.record.call_id, {
      tool: 'apply_patch',
      input: { files: Object.keys(asObject(line.record.changes) ?? {}) },
    }),
  mcp_tool_call_begin: (line) => {
    const called = asObject(line.record.invocation);
    callOnce(line, line.record.call_id, {
      tool: asText(called?.tool) ?? 'unknown',
      input: called?.arguments,
    });
  },
  web_search_end: (line) => {
    const input = { query: line.record.query ?? null };
    callOnce(line, line.record.call_id, { tool: 'web_search', input });
    sendEndOfCall(line, { ok: true });
  },
  exec_command_end: (line) => sendEndOfCall(line, exited(line.record.exit_code)),
  patch_apply_end: (line) => sendEndOfCall(line, { ok: line.record.success === true }),
  mcp_tool_call_end: (line) => sendEndOfCall(line, { ok: asObject(line.record.result)?.Ok !== undefined }),
  token_count: (line) => {
    const { info } = line.record;
    readTotal(line, asObject(info)?.total_token_usage ?? (info === undefined ? line.record : undefined));
  },
  turn_aborted: ({ send }) => send({ kind: 'interrupt' }),
  error: ({ send }) => send({ kind: 'end', reason: 'error' }),
  task_complete: ({ send }) => send({ kind: 'end', reason: 'normal' }),
};

function readProtocol(line: Line<State>): unknown {
  const type = asText(line.record.type) ?? '';
  if (Object.hasOwn(MESSAGES, type)) return MESSAGES[type]?.(line);
  return IGNORED_MESSAGES.test(type) ? undefined : `msg ${type}`;
}

function sendEndOfCall({ record, send }: Line<State>, outcome: Outcome): void {
  const said = [record.aggregated_output ?? record.stdout, record.stderr];
  const text = said.filter((one) => typeof one === 'string').join('\n');
  sendResult(send, record.call_id, { ...outcome, text });
}
