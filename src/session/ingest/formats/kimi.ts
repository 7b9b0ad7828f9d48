/**
 * Sessions of Kimi Code and of the Kimi CLI, distinguished line by line: one states milliseconds, the other seconds.
 * The work of a sub-agent is repeated in the session that started it, and read from its own file.
 */
import { dirname, join } from 'node:path';
import { readJson } from '../files/read-json.ts';
import {
  asObject,
  asText,
  contentText,
  type JsonObject,
  parsed,
  routedModel,
  shown,
} from '../json/json-fields.ts';
import { remember } from './bounded-map.ts';
import {
  anyRecord,
  type ChatState,
  chatAdapter,
  type Line,
  type Outcome,
  type Read,
  sendCall,
  sendEnd,
  sendResult,
  sidecarBefore,
  stopOf,
  usageApart,
} from './chat.ts';

type State = ChatState & {
  /** The usage of the last step: it is written a second time, apart from the step. */
  counted: string | undefined;
  /** Calls that the user refused. */
  readonly denied: Map<string, true>;
  /** In the Kimi CLI: a question about a permission → the call it is about. */
  readonly requests: Map<string, string>;
  /** The step that is under way. */
  step: string | undefined;
  /** In the Kimi CLI: how many steps have begun. */
  steps: number;
  /** In the Kimi CLI: a call whose arguments are still being written. */
  growing: { readonly callId: string; readonly tool: unknown; input: string } | undefined;
};

/** Records of Kimi Code. */
const CODE: Readonly<Record<string, Read<State>>> = {
  'turn.prompt': readPrompt,
  'turn.steer': readPrompt,
  'turn.cancel': ({ send }) => send({ kind: 'interrupt' }),
  'turn.ended': ({ record, send }) => sendEnd(send, record.reason),
  'config.update': readModel,
  'profile.bind': readModel,
  'llm.request': readModel,
  'usage.record': readUsage,
  'permission.record_approval_result': (line) => {
    const answer = asObject(line.record.result);
    if (answer?.decision === 'rejected' || answer?.decision === 'cancelled')
      deny(line, line.record.toolCallId, answer);
  },
  'context.apply_compaction': ({ send }) => send({ kind: 'compaction' }),
  'context.append_loop_event': readLoopEvent,
  // The last turns were taken back: what they cost was spent, and what they did was not wanted.
  'context.undo': ({ send }) => send({ kind: 'acceptance', value: 0, what: 'undone by the user' }),
};

/** `context.append_message` repeats requests and reminders of the program. */
const IGNORED_CODE = `context.append_message context.clear forked full_compaction.begin full_compaction.cancel
  full_compaction.complete micro_compaction.apply tools.set_active_tools tools.update_store llm.tools_snapshot
  permission.set_mode plan_mode.enter plan_mode.exit plan_mode.cancel plugin.session_start runtime.set_binding
  token_counting.measured token_counting.turn_recorded goal.create goal.update goal.clear`;

/** Messages on the wire of the Kimi CLI; a line is here with the payload as its record. */
const CLI: Readonly<Record<string, Read<State>>> = {
  TurnBegin: readPrompt,
  SteerInput: readPrompt,
  TurnEnd: ({ send }) => send({ kind: 'end', reason: 'normal' }),
  StepBegin: ({ state }) => {
    state.steps += 1;
  },
  StepInterrupted: ({ send }) => send({ kind: 'interrupt' }),
  ContentPart: ({ state, record, send }) => {
    const text = record.type === 'text' ? asText(record.text) : undefined;
    if (text !== undefined) send({ kind: 'reply', text, messageId: `step ${state.steps}` });
  },
  ToolCall: ({ state, record, line }) => {
    const called = asObject(record.function);
    const callId = asText(record.id) ?? `line-${line}`;
    state.growing = { callId, tool: called?.name, input: asText(called?.arguments) ?? '' };
  },
  ToolCallPart: ({ state, record }) => {
    if (state.growing !== undefined) state.growing.input += asText(record.arguments_part) ?? '';
  },
  ToolResult: ({ state, record, line, send }) => {
    const callId = asText(record.tool_call_id) ?? `line-${line}`;
    const value = asObject(record.return_value);
    const text = shown(value?.output) || asText(value?.message);
    sendResult(send, callId, outcomeOf(state, callId, value && value.is_error === true, text));
  },
  StatusUpdate: ({ state, record, send }) => {
    const tokens = asObject(record.token_usage);
    const usage = usageApart(
      tokens?.input_other,
      tokens?.output,
      tokens?.input_cache_read,
      tokens?.input_cache_creation,
    );
    if (usage !== undefined) send({ kind: 'reply', text: '', messageId: `step ${state.steps}`, usage });
  },
  ApprovalRequest: ({ state, record }) => {
    const id = asText(record.id);
    const call = asText(record.tool_call_id);
    if (id !== undefined && call !== undefined) remember(state.requests, id, call);
  },
  ApprovalResponse: readResponse,
  ApprovalRequestResolved: readResponse,
  CompactionEnd: ({ send }) => send({ kind: 'compaction' }),
};

const IGNORED_CLI = 'CompactionBegin StepRetry SubagentEvent HookTriggered HookResolved';

const CODE_TYPES: ReadonlySet<string> = new Set([...Object.keys(CODE), ...IGNORED_CODE.split(/\s+/)]);
const CLI_TYPES: ReadonlySet<string> = new Set([...Object.keys(CLI), ...IGNORED_CLI.split(' ')]);

export const kimiAdapter = chatAdapter<State>({
  detect: anyRecord((record) => {
    if (record.type === 'metadata') return asText(record.protocol_version) !== undefined;
    const type = asText(record.type) ?? '';
    if (CODE_TYPES.has(type)) return type.includes('.') && typeof record.time === 'number';
    const message = asObject(record.message);
    const isMessage = asObject(message?.payload) !== undefined && CLI_TYPES.has(asText(message?.type) ?? '');
    return isMessage && typeof record.timestamp === 'number';
  }, 'lines'),
  start: ({ path }) => ({
    subagent: namesOf(path).agent !== undefined,
    counted: undefined,
    denied: new Map(),
    requests: new Map(),
    step: undefined,
    steps: 0,
    growing: undefined,
  }),
  times: ({ timestamp, time, created_at }) => [
    typeof timestamp === 'number' ? Math.round(timestamp * 1000) : (time ?? created_at),
  ],
  kind: ({ type, message }) => asText(type) ?? (asObject(message) === undefined ? undefined : 'message'),
  ignored: `metadata ${IGNORED_CODE}`,
  readers: {
    ...CODE,
    message: (line) => {
      const message = asObject(line.record.message);
      const type = asText(message?.type) ?? '(no type)';
      // A call is emitted when its arguments are complete.
      if (type !== 'ToolCallPart') {
        sendGrown(line.state, line.send);
        line.state.growing = undefined;
      }
      if (!CLI_TYPES.has(type)) return type;
      return CLI[type]?.({ ...line, record: asObject(message?.payload) ?? {} });
    },
  },
  finish: sendGrown,
  // A fork begins with the records of its origin; those that count tokens and calls have ids.
  entryKey: (record) => {
    const fields = asObject(record);
    const event = asObject(fields?.event);
    const id = asText(event?.uuid) ?? asText(event?.toolCallId);
    if (id === undefined || typeof fields?.time !== 'number') return undefined;
    return `kimi ${asText(event?.type) ?? ''} ${fields.time} ${id}`;
  },
  sidecar: (path) => {
    const { session, agent } = namesOf(path);
    const stateFile = statePath(path);
    const about = stateFile === undefined ? undefined : asObject(readJson(stateFile));
    return sidecarBefore({
      kind: 'session',
      agent: 'kimi',
      sessionId: session === undefined || agent === undefined ? session : `${session}:${agent}`,
      parentSessionId: agent === undefined ? undefined : session,
      trigger: agent === undefined ? undefined : 'subagent',
      project: asText(about?.workDir),
    });
  },
});

function readPrompt({ state, record, send }: Line<State>): void {
  const kind = asText(asObject(record.origin)?.kind) ?? 'user';
  const origin = state.subagent ? 'subagent' : kind === 'user' ? 'user' : 'runtime';
  send({ kind: 'user', origin, text: contentText(record.input ?? record.user_input) });
}

function readModel({ state, record, send }: Line<State>): void {
  const named = asText(record.model);
  const { model, provider } =
    named === undefined
      ? routedModel(record.modelAlias)
      : { model: named, provider: asText(record.provider) };
  const project = asText(record.cwd) ?? asText(asObject(record.environmentDisclosure)?.cwd);
  if (project !== undefined) send({ kind: 'session', project });
  if (model !== undefined) Object.assign(state, { model, provider });
}

/** Steps have their usage themselves; a compaction has it only here. */
function readUsage({ state, record, line, send }: Line<State>): void {
  const usage = usageOf(record.usage);
  if (usage === undefined) return;
  const { model, provider, counted } = state;
  state.counted = undefined;
  if (JSON.stringify(usage) !== counted)
    send({ kind: 'reply', text: '', messageId: `usage ${line}`, usage, model, provider });
}

/** The input is without cached tokens; the output includes reasoning. */
function usageOf(value: unknown) {
  const fields = asObject(value);
  return usageApart(fields?.inputOther, fields?.output, fields?.inputCacheRead, fields?.inputCacheCreation);
}

function readLoopEvent({ state, record, line, send }: Line<State>): unknown {
  const event = asObject(record.event) ?? {};
  const { model, provider } = state;
  const callId = asText(event.toolCallId) ?? `line-${line}`;
  switch (event.type) {
    case 'step.begin':
      state.step = asText(event.uuid);
      return undefined;
    case 'content.part': {
      const part = asObject(event.part);
      const messageId = asText(event.stepUuid) ?? state.step;
      const text = part?.type === 'text' ? asText(part.text) : undefined;
      if (text !== undefined) send({ kind: 'reply', text, messageId, model, provider });
      return undefined;
    }
    case 'tool.call':
      return sendCall(send, callId, event.name, event.args);
    case 'tool.result': {
      const result = asObject(event.result);
      const text = shown(result?.output) ?? asText(result?.message);
      return sendResult(send, callId, outcomeOf(state, callId, result && result.isError === true, text));
    }
    case 'step.end': {
      const usage = usageOf(event.usage);
      state.counted = usage && JSON.stringify(usage);
      return send({
        kind: 'reply',
        text: '',
        // Its tokens are then on the record that follows.
        usageElsewhere: usage === undefined ? true : undefined,
        messageId: asText(event.uuid),
        usage,
        stop: stopOf(event.finishReason),
        model,
        provider,
      });
    }
    default:
      return `loop ${asText(event.type) ?? '(no type)'}`;
  }
}

/** Commands that fail are marked as errors, too. */
function outcomeOf(state: State, callId: string, isError: boolean | undefined, text = ''): Outcome {
  if (state.denied.has(callId)) return { denied: true, text };
  return { ok: isError === undefined ? undefined : !isError, text };
}

function deny({ state, send }: Line<State>, id: unknown, answer: JsonObject): void {
  const callId = asText(id);
  if (callId === undefined) return;
  remember(state.denied, callId, true);
  sendResult(send, callId, { denied: true, reason: asText(answer.feedback) });
}

function readResponse(line: Line<State>): void {
  const { state, record } = line;
  if (record.response === 'reject') deny(line, state.requests.get(asText(record.request_id) ?? ''), record);
}

/** The last call may still have been growing. */
function sendGrown({ growing }: State, send: Line<State>['send']): void {
  if (growing !== undefined) sendCall(send, growing.callId, growing.tool, parsed(growing.input));
}

// Only the path says which session a file belongs to.

const CODE_PATH = /[\\/](session_[^\\/]+)[\\/]agents[\\/]([^\\/]+)[\\/]wire\.jsonl$/;
const CHILD_PATH = /[\\/]([^\\/]+)[\\/]subagents[\\/]([^\\/]+)[\\/]wire\.jsonl$/;
const MAIN_PATH = /[\\/]sessions[\\/][^\\/]+[\\/]([^\\/]+)[\\/]wire\.jsonl$/;

/** `agent`: the sub-agent, when it is one. */
function namesOf(path: string): { readonly session?: string; readonly agent?: string } {
  const [, session, agent] = CODE_PATH.exec(path) ?? CHILD_PATH.exec(path) ?? MAIN_PATH.exec(path) ?? [];
  if (session === undefined) return {};
  return agent === undefined || agent === 'main' ? { session } : { session, agent };
}

/** Holds the folder that a session of Kimi Code works in. */
export function statePath(path: string): string | undefined {
  return CODE_PATH.test(path) ? join(dirname(dirname(dirname(path))), 'state.json') : undefined;
}
