/**
 * Streams of the print mode of Claude Code and of agents with the same format. Their messages have only a part of the
 * tokens; the `result` at the end of a run has them all, by model, sub-agents included. Lines have no times.
 */
import type { Usage } from '../../event.ts';
import { cacheWrite1h } from '../../usage.ts';
import {
  asCost,
  asCount,
  asObject,
  asObjects,
  asText,
  contentText,
  isZero,
  type JsonObject,
  parsed,
  sampled,
  shown,
  usageOf,
} from '../json/json-fields.ts';
import { remember } from './bounded-map.ts';
import {
  type ChatState,
  chatAdapter,
  exited,
  type Line,
  type Outcome,
  resultBlocks,
  sendCall,
  sendResult,
  sendUser,
  stopOf,
  unlessZero,
  usageApart,
  usageSince,
} from './chat.ts';

type Spent = { readonly usage: Usage; readonly costUsd: number | undefined };

type State = ChatState & {
  agent: string;
  /** Sessions that were emitted. */
  readonly announced: Map<string, true>;
  /** Emitted calls, and their tools. */
  readonly calls: Map<string, string>;
  /** Messages whose tokens are in no total yet. */
  pending: Map<
    string,
    { readonly session: string; readonly model: string | undefined; readonly usage: Usage }
  >;
  /** The usage so far by the last `result`, by model. */
  spent: Map<string, Spent>;
  /** The last message of each model since then. */
  latest: Map<string, string>;
  /** Messages so far; whether one since the last `result` had text. */
  messages: number;
  said: boolean;
};

const IGNORED =
  'stream_event rate_limit_event thinking keep_alive control_request control_response tool_progress';

/** Information of the program about itself. */
const IGNORED_SYSTEM: ReadonlySet<string> = new Set(
  `status hook_started hook_progress hook_response task_started task_progress task_updated api_retry
   local_command_output files_persisted notification session_start session_state_changed informational error warning`.split(
    /\s+/,
  ),
);

export const streamJsonAdapter = chatAdapter<State>({
  detect: ({ records, document }) => {
    const lines = sampled(records, document);
    return !lines.some(isOther) && lines.some(isStreamLine);
  },
  start: () => ({
    agent: 'claude-code',
    announced: new Map(),
    calls: new Map(),
    pending: new Map(),
    spent: new Map(),
    latest: new Map(),
    messages: 0,
    said: false,
  }),
  times: ({ timestamp, timestamp_ms }) => [timestamp, timestamp_ms],
  sessionOf,
  kind: ({ type }) => asText(type),
  before: announce,
  ignored: IGNORED,
  readers: {
    system: readSystem,
    assistant: readAssistant,
    user: readUser,
    tool_call: readToolCall,
    result: readEndOfRun,
    conversation_reset: ({ state, record }) => {
      state.spent = new Map();
      state.session = asText(record.new_conversation_id) ?? state.session;
    },
  },
  // An interrupted run has no `result`: then its messages are all there is.
  finish: ({ pending }, send) => {
    for (const [messageId, { session, model, usage }] of pending)
      send({ kind: 'reply', text: '', messageId, usage, model }, undefined, session);
  },
  // A stream that was stored twice is one.
  entryKey: (record) => {
    const uuid = asText(asObject(record)?.uuid);
    return uuid && `stream-json ${uuid}`;
  },
});

/** Another agent begins its stream in the same way. */
function isOther(record: JsonObject): boolean {
  return record.type === 'message' || record.type === 'completion' || 'reasoning_effort' in record;
}

function isStreamLine(record: JsonObject): boolean {
  if (asText(record.session_id) === undefined || asText(record.sessionId) !== undefined) return false;
  switch (record.type) {
    case 'system':
      return asText(record.subtype) !== undefined;
    case 'assistant':
    case 'user':
      return asObject(record.message)?.content !== undefined;
    case 'tool_call':
      return asText(record.call_id) !== undefined && asObject(record.tool_call) !== undefined;
    case 'result':
      return asText(record.subtype) !== undefined && typeof record.is_error === 'boolean';
    default:
      return false;
  }
}

/** Lines of a sub-agent name the call that started it. */
function sessionOf({ parent_tool_use_id }: JsonObject, { session = '' }: State): string {
  const call = asText(parent_tool_use_id);
  return call === undefined ? session : `${session}:${call}`;
}

function isSubagent({ parent_tool_use_id }: JsonObject): boolean {
  return asText(parent_tool_use_id) !== undefined;
}

function announce({ state, record, send }: Line<State>): void {
  const type = asText(record.type);
  if (type === undefined || IGNORED.split(' ').includes(type)) return;
  if (type === 'system' && record.subtype === 'init') noteAgent(state, record);
  if (type === 'tool_call') state.agent = 'cursor';
  state.session = asText(record.session_id) ?? state.session;
  const session = sessionOf(record, state);
  if (state.announced.has(session)) return;
  remember(state.announced, session, true);
  const child = { parentSessionId: state.session ?? '', trigger: 'subagent', agent: state.agent } as const;
  send({
    kind: 'session',
    sessionId: session === '' ? undefined : session,
    ...(isSubagent(record) ? child : {}),
  });
}

/** Agents with the same format are recognised by fields that only they have. */
function noteAgent(state: State, record: JsonObject): void {
  const session = asText(record.session_id) ?? '';
  if ('qwen_code_version' in record) state.agent = 'qwen-code';
  else if (/^T-/.test(session)) state.agent = 'amp';
  else if (!Array.isArray(record.tools) && asText(record.apiKeySource) !== undefined) state.agent = 'cursor';
}

function readSystem({ state, record, send }: Line<State>): unknown {
  const subtype = asText(record.subtype) ?? '(no subtype)';
  switch (subtype) {
    case 'compact_boundary':
      return send({ kind: 'compaction' });
    case 'task_notification': {
      // Work in the background came to its end.
      const call = asText(record.tool_use_id);
      const ok = record.status === 'completed' ? true : record.status === 'failed' ? false : undefined;
      if (call !== undefined && ok !== undefined) send({ kind: 'spawn', spawnId: call, ok });
      return undefined;
    }
    case 'init':
      state.model = asText(record.model) ?? state.model;
      return send({
        kind: 'session',
        agent: state.agent,
        model: state.model,
        project: asText(record.cwd),
      });
    default:
      return IGNORED_SYSTEM.has(subtype) ? undefined : `system/${subtype}`;
  }
}

/** Several lines may be of one message, each with one of its blocks. */
function readAssistant(line: Line<State>): void {
  const { state, record, send } = line;
  const message = asObject(record.message);
  // Pieces of a message are printed again as a whole.
  const isPiece = typeof record.timestamp_ms === 'number' && asText(record.model_call_id) === undefined;
  if (message === undefined || isPiece) return;
  const isProgram = message.model === '<synthetic>';
  const failed = asText(record.error) !== undefined;
  if (isProgram && !failed) return;
  const model = isProgram ? undefined : (asText(message.model) ?? state.model);
  const messageId = asText(message.id) ?? `line-${line.line}`;
  const blocks = asObjects(message.content);
  const text = contentText(message.content);
  state.messages += 1;
  if (!isSubagent(record)) {
    state.said = text !== '';
    remember(state.latest, model ?? '', messageId);
  }
  const usage = messageUsage(state.agent, message.usage);
  if (usage !== undefined)
    remember(state.pending, messageId, { session: sessionOf(record, state), model, usage });
  const asks = blocks.some(({ type }) => type === 'tool_use') ? 'tool' : undefined;
  const stop = failed ? 'error' : (stopOf(message.stop_reason) ?? asks);
  send({ kind: 'reply', messageId, text, usageElsewhere: true, model, stop });
  for (const block of blocks) if (asText(block.type)?.endsWith('tool_use')) readCall(line, block);
}

const SPAWNING = /^(?:task|agent|oracle)$/i;

function readCall({ state, record, send }: Line<State>, block: JsonObject): void {
  const callId = asText(block.id);
  if (callId === undefined || state.calls.has(callId)) return;
  const tool = asText(block.name) ?? 'unknown';
  remember(state.calls, callId, tool);
  sendCall(send, callId, tool, block.input);
  if (SPAWNING.test(tool))
    send({ kind: 'spawn', spawnId: callId, sessionId: `${sessionOf(record, state)}:${callId}` });
}

/** The prompt itself is printed by some agents only. */
function readUser({ state, record, send }: Line<State>): void {
  const message = asObject(record.message) ?? {};
  const isRunning = asObject(record.tool_use_result)?.status === 'async_launched';
  for (const { id, ok, text = '' } of resultBlocks(message)) {
    const outcome = isRunning ? { running: true } : ok === false ? failure(text) : { ok: true };
    sendResult(send, id, { ...outcome, text });
    const callId = asText(id) ?? '';
    if (SPAWNING.test(state.calls.get(callId) ?? '') && 'ok' in outcome)
      send({ kind: 'spawn', spawnId: callId, ok: outcome.ok });
  }
  const text = contentText(message.content);
  if (text.startsWith('[Request interrupted by user')) {
    send({ kind: 'interrupt' });
    return;
  }
  const kind = asText(asObject(record.origin)?.kind);
  const isRuntime = record.isSynthetic === true || (kind !== undefined && kind !== 'human');
  sendUser(send, text, isRuntime ? 'runtime' : isSubagent(record) ? 'subagent' : 'user');
}

/** Nobody can be asked, so calls without permission are refused; a program may ask somebody instead. */
const FORBIDDEN =
  /^(?:Permission to use .* has been denied|Claude requested permissions? to|Qwen Code requires permission to|This command requires approval)/;
const DENIED = /^The user doesn't want to/;

function failure(text: string): Outcome {
  if (FORBIDDEN.test(text)) return { denied: true, byRule: true };
  return DENIED.test(text) ? { denied: true } : { ok: false };
}

/** Calls as the Cursor CLI prints them: one object under the name of its tool, with its result as a union. */
function readToolCall({ state, record, send }: Line<State>): void {
  const callId = asText(record.call_id);
  const call = asObject(record.tool_call);
  if (callId === undefined || call === undefined) return;
  const { tool, input, result } = readUnion(call);
  if (!state.calls.has(callId)) {
    remember(state.calls, callId, tool);
    sendCall(send, callId, tool, input);
  }
  if (record.subtype === 'completed') sendResult(send, callId, result === undefined ? {} : outcomeOf(result));
}

function readUnion(call: JsonObject) {
  const objects = Object.entries(call).filter(([, value]) => asObject(value) !== undefined);
  const [name, value] =
    objects.find(([key]) => key === 'function' || key.endsWith('ToolCall')) ??
    objects.find(([key]) => key !== 'result') ??
    [];
  const body = asObject(value) ?? {};
  const result = asObject(body.result) ?? asObject(call.result);
  if (name === 'function')
    return { tool: asText(body.name) ?? 'unknown', input: parsed(body.arguments), result };
  const tool = asText(asObject(body.args)?.toolName) ?? (name ?? 'unknown').replace(/ToolCall$/, '');
  return { tool, input: body.args, result };
}

/** A command that fails is still a success of its tool. */
function outcomeOf(result: JsonObject): Outcome {
  const text = shown(result) ?? '';
  // Nobody is there to ask.
  if (result.rejected !== undefined) return { denied: true, byRule: true, text };
  const success = asObject(result.success);
  if (success === undefined) return { ok: false, text };
  const said = [success.stdout, success.stderr].filter((one) => typeof one === 'string').join('\n');
  return { ok: true, ...exited(success.exitCode), text: said === '' ? text : said };
}

/** The last object of a run: its end, usage and refused calls. Alone it is the whole session. */
function readEndOfRun(line: Line<State>): void {
  const { state, record, send } = line;
  if (state.messages === 0) {
    // Alone it does not name its agent; other fields may.
    if (state.model === undefined)
      state.agent = 'total_cost_usd' in record ? 'claude-code' : 'request_id' in record ? 'cursor' : '';
    send({ kind: 'session', endOnly: true, agent: asText(state.agent) });
  }
  const text = asText(record.result);
  // Alone, or after partial messages: otherwise the last message repeats it.
  if (!state.said && text !== undefined && record.is_error !== true) {
    const model = state.model ?? busiestModel(record);
    const messageId = state.latest.get(model ?? '') ?? `result-${line.line}`;
    remember(state.latest, model ?? '', messageId);
    send({ kind: 'reply', messageId, text, usageElsewhere: true, model });
  }
  // Refusals of calls that were not printed.
  for (const { tool_use_id, tool_name, tool_input } of asObjects(record.permission_denials)) {
    const callId = asText(tool_use_id);
    if (callId === undefined || state.calls.has(callId)) continue;
    sendCall(send, callId, tool_name, tool_input);
    sendResult(send, callId, { denied: true, byRule: true });
  }
  // Without totals the messages are all there is.
  if (readSpent(line)) state.pending = new Map();
  readEnd(line);
  state.latest = new Map();
  state.said = false;
}

/** Alone it does not name the answering model: the one with the most output, because others did small jobs for it. */
function busiestModel(record: JsonObject): string | undefined {
  const written = ([, value]: [string, unknown]): number => numberOf(asObject(value)?.outputTokens) ?? 0;
  const models = Object.entries(asObject(record.modelUsage) ?? {});
  return models.sort((a, b) => written(b) - written(a))[0]?.[0];
}

/** Told on the last message of each model, so that no message is made up where there is one. */
function readSpent({ state, record, line, send }: Line<State>): boolean {
  const spent = spentOf(state, record);
  for (const [model, total] of spent) {
    const before = state.spent.get(model);
    const usage = usageSince(total.usage, before?.usage);
    const costUsd = total.costUsd === undefined ? undefined : costSince(total.costUsd, before?.costUsd);
    remember(state.spent, model, total);
    if (isZero(usage)) continue;
    const messageId = state.latest.get(model) ?? `result-${line} ${model}`;
    send({
      kind: 'reply',
      text: '',
      messageId,
      usage,
      usageOfSeveral: true,
      model: model === '' ? state.model : model,
      costUsd: asCost(costUsd, usage),
    });
  }
  return spent.length > 0;
}

function costSince(now: number, before: number | undefined): number {
  return before === undefined || now < before ? now : now - before;
}

/** `modelUsage` is complete, `usage` lacks some of it where several models were used. */
function spentOf(state: State, record: JsonObject): [model: string, spent: Spent][] {
  const models = Object.entries(asObject(record.modelUsage) ?? {}).flatMap(
    ([model, value]): [string, Spent][] => {
      const fields = asObject(value);
      const usage = usageApart(
        fields?.inputTokens,
        fields?.outputTokens,
        fields?.cacheReadInputTokens,
        fields?.cacheCreationInputTokens,
      );
      return usage === undefined ? [] : [[model, { usage, costUsd: numberOf(fields?.costUSD) }]];
    },
  );
  if (models.length > 0) return models;
  const usage = messageUsage(state.agent, record.usage);
  return usage === undefined
    ? []
    : [[state.model ?? '', { usage, costUsd: numberOf(record.total_cost_usd) }]];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Claude Code and Amp report the input without cached tokens, Qwen Code with them. */
function messageUsage(agent: string, value: unknown): Usage | undefined {
  const fields = asObject(value);
  if (fields === undefined) return undefined;
  const usage = unlessZero(
    (agent === 'qwen-code' ? usageOf : usageApart)(
      fields.input_tokens ?? fields.inputTokens,
      fields.output_tokens ?? fields.outputTokens,
      fields.cache_read_input_tokens ?? fields.cacheReadTokens,
      fields.cache_creation_input_tokens ?? fields.cacheWriteTokens,
    ),
  );
  const hour = asCount(asObject(fields.cache_creation)?.ephemeral_1h_input_tokens) ?? 0;
  return usage && { ...usage, ...cacheWrite1h(Math.min(hour, usage.cacheWrite)) };
}

/** A failed request also ends in `success`; `is_error` marks it. */
function readEnd({ record, send }: Line<State>): void {
  const why = `${asText(record.subtype) ?? ''} ${asText(record.terminal_reason) ?? ''}`;
  if (/aborted/.test(why)) send({ kind: 'interrupt' });
  else if (/max_turns|max_budget/.test(why)) send({ kind: 'end', reason: 'limit' });
  else if (record.is_error === true || /error/.test(why)) send({ kind: 'end', reason: 'error' });
  else send({ kind: 'end', reason: 'normal' });
}
