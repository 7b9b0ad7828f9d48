/**
 * Sessions of the GitHub Copilot CLI, stored or printed (`--output-format json`): one event per line. Tokens are written only when a session is left
 * (`session.shutdown`), for what was used since it was last taken up, sub-agents included; after a crash they are not
 * known. Its costs are shares of an allowance, not money.
 */
import type { UnplacedEvent, Usage } from '../../../event.ts';
import {
  asArray,
  asCount,
  asObject,
  asText,
  asTime,
  defined,
  isZero,
  type JsonObject,
  sampled,
  usageOf,
} from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { readComplete, readMessage, readPermission, readRequest, readStart } from './tools.ts';

export type CopilotState = {
  session: string | undefined;
  model: string | undefined;
  /** Calls that were told, and what a person said to them. */
  calls: Map<string, 'asked' | 'denied'>;
  /** The calls of the session itself whose end was not told yet. */
  pending: string[];
  /** A question about a permission → the call it is about. */
  requests: Map<string, string>;
  /** Sub-agents that were told, by the call that started them. */
  children: Map<string, 1>;
  /** Printed: each request states its tokens, so that the sum at the end would count them again. */
  counted: boolean;
};

export type CopilotLine = {
  readonly state: CopilotState;
  readonly data: JsonObject;
  readonly id: string | undefined;
  readonly child: string | undefined;
  readonly send: (event: UnplacedEvent) => void;
};

function start(): CopilotState {
  return {
    session: undefined,
    model: undefined,
    calls: new Map(),
    pending: [],
    requests: new Map(),
    children: new Map(),
    counted: false,
  };
}

function step(state: CopilotState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  const type = asText(fields?.type);
  if (fields === undefined || type === undefined) return '(no type)';
  const data = asObject(fields.data) ?? {};
  const at = asTime(fields.timestamp);
  const child = asText(data.parentToolCallId);
  if (type === 'session.start' || type === 'result')
    state.session = asText(data.sessionId) ?? asText(fields.sessionId) ?? state.session;
  const session = child === undefined ? state.session : childId(state, child);
  const send = (event: UnplacedEvent): void => emit(placeEvent(event, { line, at }), session);
  const id = asText(fields.id);
  const place: CopilotLine = { state, data: type === 'result' ? fields : data, id, child, send };
  if (child !== undefined) tellChild(place, child);
  const reader = READERS.get(type);
  if (reader === undefined) return type;
  reader(place);
  return undefined;
}

/** What a sub-agent says stands among the events of its parent, under the call that started it. */
function childId(state: CopilotState, call: string): string {
  return `${state.session ?? ''}:${call}`;
}

function tellChild({ state, send }: CopilotLine, call: string): void {
  if (state.children.get(call) !== undefined) return;
  remember(state.children, call, 1);
  send({
    kind: 'session',
    agent: 'copilot-cli',
    sessionId: childId(state, call),
    trigger: 'subagent',
    ...defined({ parentSessionId: state.session }),
  });
}

type Reader = (place: CopilotLine) => void;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['session.start', readSession],
  ['session.resume', readSession],
  ['session.model_change', readModel],
  ['session.shutdown', readShutdown],
  ['session.error', ({ send }) => send({ kind: 'reply', text: '', usageElsewhere: true, stop: 'error' })],
  ['session.compaction_complete', readCompaction],
  ['session.truncation', ({ send }) => send({ kind: 'compaction' })],
  ['session.task_complete', ({ send }) => send({ kind: 'end', reason: 'normal' })],
  ['assistant.usage', readRequestUsage],
  ['result', ({ data, send }) => send({ kind: 'end', reason: data.exitCode === 0 ? 'normal' : 'error' })],
  ['abort', readAbort],
  ['user.message', readUser],
  ['assistant.message', readMessage],
  ['tool.execution_start', readStart],
  ['tool.execution_complete', readComplete],
  ['permission.requested', readRequest],
  ['permission.completed', readPermission],
  ['subagent.started', (place) => readSpawn(place, undefined)],
  ['subagent.completed', (place) => readSpawn(place, place.data.cancelled === true ? undefined : true)],
  ['subagent.failed', (place) => readSpawn(place, false)],
  ...`session.info session.warning session.usage_checkpoint session.auto_mode_resolved session.compaction_start
    session.handoff session.import_legacy session.mode_changed session.plan_changed session.context_changed
    session.title_changed session.workspace_file_changed assistant.turn_start assistant.turn_end assistant.intent
    assistant.reasoning hook.start hook.end skill.invoked system.message system.notification subagent.selected
    tool.user_requested session.tools_updated session.idle session.usage_info session.background_tasks_changed
    session.skills_loaded session.mcp_servers_loaded session.mcp_server_status_changed session.custom_agents_updated
    session.snapshot_rewind assistant.message_delta assistant.reasoning_delta assistant.streaming_delta
    tool.execution_progress tool.execution_partial_result model.call_failure`
    .split(/\s+/)
    .map((type): [string, Reader] => [type, () => {}]),
]);

function readSession({ state, data, send }: CopilotLine): void {
  const context = asObject(data.context);
  state.model = asText(data.selectedModel) ?? state.model;
  send({
    kind: 'session',
    agent: 'copilot-cli',
    ...defined({
      sessionId: state.session,
      model: state.model,
      project: asText(context?.cwd) ?? asText(context?.gitRoot),
    }),
  });
}

function readModel({ state, data, send }: CopilotLine): void {
  state.model = asText(data.newModel) ?? state.model;
  send({ kind: 'session', ...defined({ model: state.model }) });
}

/** `source` names what wrote the message when nobody typed it; so does going on by itself. */
function readUser({ data, child, send }: CopilotLine): void {
  const isRuntime =
    data.isAutopilotContinuation === true || (asText(data.source) !== undefined && data.source !== 'user');
  const text = asText(data.content) ?? '';
  if (text === '' && asArray(data.attachments).length === 0) return;
  send({ kind: 'user', origin: isRuntime ? 'runtime' : child === undefined ? 'user' : 'subagent', text });
}

function readCompaction({ data, send }: CopilotLine): void {
  if (data.success !== false) send({ kind: 'compaction' });
}

/** Running out of an allowance is nobody's decision. */
function readAbort({ state, data, send }: CopilotLine): void {
  if (data.reason === 'autopilot_credit_limit') {
    send({ kind: 'end', reason: 'limit' });
    return;
  }
  // What still ran was stopped by the person.
  for (const callId of state.pending.splice(0)) send({ kind: 'result', callId, denied: true });
  send({ kind: 'interrupt' });
}

function readSpawn({ state, data, send }: CopilotLine, ok: boolean | undefined): void {
  const call = asText(data.toolCallId);
  if (call === undefined) return;
  send({ kind: 'spawn', spawnId: call, sessionId: childId(state, call), ...defined({ ok }) });
}

/** The input contains what was read from and written to the cache; reasoning is part of the output. */
function readShutdown({ state, data, id, send }: CopilotLine): void {
  if (data.shutdownType === 'error') send({ kind: 'end', reason: 'error' });
  if (state.counted) return;
  const tell = (model: string | undefined, usage: Usage): void => {
    const messageId = `${id ?? 'shutdown'} ${model}`;
    send({ kind: 'reply', text: '', messageId, usage, usageOfSeveral: true, ...defined({ model }) });
  };
  let isTold = false;
  for (const [model, metrics] of Object.entries(asObject(data.modelMetrics) ?? {})) {
    const counts = asObject(asObject(metrics)?.usage);
    const usage = usageOf(
      counts?.inputTokens,
      counts?.outputTokens,
      counts?.cacheReadTokens,
      counts?.cacheWriteTokens,
    );
    if (usage === undefined) continue;
    tell(model, usage);
    isTold = true;
  }
  const billed = isTold ? undefined : billedUsage(data.tokenDetails);
  if (billed !== undefined) tell(asText(data.currentModel) ?? state.model, billed);
}

/** Where no model says what it used: kinds of tokens as they are billed, each by itself. */
function billedUsage(details: unknown): Usage | undefined {
  const count = (kind: string) => asCount(asObject(asObject(details)?.[kind])?.tokenCount) ?? 0;
  const usage = {
    input: count('input'),
    output: count('output'),
    cacheRead: count('cache_read'),
    cacheWrite: count('cache_write'),
  };
  return isZero(usage) ? undefined : usage;
}

/** Written to no file: only what is printed has it, in some versions. */
function readRequestUsage({ state, data, id, send }: CopilotLine): void {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = data;
  const usage = usageOf(inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens);
  if (usage === undefined) return;
  state.counted = true;
  const model = asText(data.model) ?? state.model;
  send({ kind: 'reply', text: '', usage, ...defined({ messageId: id && `usage ${id}`, model }) });
}

/** What it prints, kept as one list. */
function* elements(document: unknown): Iterable<unknown> {
  if (Array.isArray(document)) yield* document;
  else yield document;
}

function detect({ records, document }: Sample): boolean {
  return sampled(records, document).some((fields) => {
    if (asObject(fields.data) === undefined) return false;
    const isEvent =
      asText(fields.id) !== undefined && 'parentId' in fields && asText(fields.timestamp) !== undefined;
    return isEvent && /^(?:session|user|assistant|tool)\.[a-z_]+$/.test(asText(fields.type) ?? '');
  });
}

/** Events have random ids, which a copy of the file has as well. */
function entryKey(record: unknown): string | undefined {
  return asText(asObject(record)?.id);
}

export const copilotCliAdapter: Adapter<CopilotState> = { detect, start, step, elements, entryKey };
