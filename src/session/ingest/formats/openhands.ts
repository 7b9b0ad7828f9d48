/**
 * OpenHands events (version 0): actions and observations, as one array, as lines, or as the `history` of an evaluation
 * record (one line per instance; its test result is a label and is not read). An observation names the action it
 * answers in `cause`. Events point at the event, counted over the whole file.
 */
import { basename, dirname } from 'node:path';
import type { EndReason } from '../../event.ts';
import { tokensOf } from '../../usage.ts';
import { stemOf } from '../files/name-by-file.ts';
import {
  asArray,
  asCost,
  asId,
  asObject,
  asObjects,
  asText,
  completionUsage,
  contentText,
  type JsonObject,
  routedModel,
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
  sendCall,
  sendResult,
  sendUser,
  unlessZero,
} from './chat.ts';

type State = ChatState & {
  /** Of the file; an evaluation has several sessions. */
  readonly name: string;
  announced: boolean;
  events: number;
  /** Action → the call it made, until its observation comes. */
  open: Map<string, string>;
  spawned: Map<string, true>;
  costUsd: number;
  tokens: number;
  agentState: string;
};

export const openHandsAdapter = chatAdapter<State>({
  detect: anyRecord((record) => isEvent(record) || isEvaluation(record)),
  start: ({ path }) => {
    // A file is named after its session, or its folder is.
    const stem = stemOf(path);
    const folder = basename(dirname(path));
    const isGeneric = /^(?:trajectory|events|history)$/i.test(stem) && /[^.]/.test(folder);
    const name = isGeneric ? folder : stem;
    return { name, events: 0, ...newSession(name) };
  },
  within: function* (record, state) {
    if (!isEvaluation(record)) return yield record;
    Object.assign(state, newSession(asText(record.instance_id) ?? state.name));
    yield* historyOf(record);
    Object.assign(state, newSession(state.name));
  },
  place: (_record, state) => state.events + 1,
  kind: ({ action, observation }) =>
    typeof action === 'string' ? 'action' : typeof observation === 'string' ? 'observation' : 'event',
  before: (line) => {
    const { state, send } = line;
    state.events += 1;
    if (!state.announced) send({ kind: 'session', sessionId: state.session, agent: 'openhands' });
    state.announced = true;
    readMetrics(line);
  },
  readers: { action: readAction, observation: readObservation },
});

function newSession(session: string) {
  return {
    session,
    announced: false,
    open: new Map<string, string>(),
    spawned: new Map<string, true>(),
    costUsd: 0,
    tokens: 0,
    agentState: '',
  };
}

function isEvent(event: JsonObject): boolean {
  const source = event.source;
  if (source !== 'agent' && source !== 'user' && source !== 'environment') return false;
  return (
    (typeof event.action === 'string' && asObject(event.args) !== undefined) ||
    (typeof event.observation === 'string' && ('content' in event || 'extras' in event))
  );
}

function isEvaluation(record: JsonObject): boolean {
  return asText(record.instance_id) !== undefined && historyOf(record).some(isEvent);
}

/** Older records hold pairs of action and observation. */
function historyOf(record: JsonObject): JsonObject[] {
  return asObjects(asArray(record.history).flat());
}

/** Running totals come with many events; a delegate counts its own, so only a higher one replaces. */
function readMetrics({ state, record, send }: Line<State>): void {
  const metrics = asObject(record.llm_metrics);
  const total = asObject(metrics?.accumulated_token_usage);
  const usage = unlessZero(
    usageOf(
      total?.prompt_tokens,
      total?.completion_tokens,
      total?.cache_read_tokens,
      total?.cache_write_tokens,
    ),
  );
  const costUsd = asCost(metrics?.accumulated_cost, undefined);
  const tokens = usage === undefined ? 0 : tokensOf(usage);
  if (costUsd === undefined && usage === undefined) return;
  if ((costUsd ?? 0) < state.costUsd || (costUsd === undefined && tokens < state.tokens)) return;
  state.costUsd = costUsd ?? state.costUsd;
  state.tokens = Math.max(state.tokens, tokens);
  send({ kind: 'session', usage, costUsd, usageIsTotal: usage === undefined ? undefined : true });
}

/** Neither an action of the model nor a message of the user. */
const BOOKKEEPING =
  /^(?:system|recall|null|change_agent_state|start|pause|resume|stop|condensation_request|loop_recovery)$/;

function readAction(line: Line<State>): void {
  const { record, send } = line;
  const action = String(record.action);
  const args = asObject(record.args) ?? {};
  const isUser = record.source === 'user';
  if (action === 'message' && isUser) {
    sendUser(send, contentText(args.content ?? record.message));
    return;
  }
  if (action === 'change_agent_state' && args.agent_state === 'stopped' && isUser)
    send({ kind: 'interrupt' });
  if (action === 'condensation' || action === 'summarize') send({ kind: 'compaction' });
  else if (record.source === 'agent' && !BOOKKEEPING.test(action)) readAgentAction(line, action, args);
}

const TOOL_NAMES = new Map([
  ['run', 'bash'],
  ['run_ipython', 'ipython'],
  ['browse_interactive', 'browser'],
]);

/** Actions of one model answer share its id, so its tokens count once. */
function readAgentAction({ state, record, send }: Line<State>, action: string, args: JsonObject): void {
  const about = asObject(record.tool_call_metadata);
  const response = asObject(about?.model_response);
  const said = action === 'message' ? args.content : (asText(args.final_thought) ?? args.thought);
  send({
    kind: 'reply',
    text: action === 'think' ? '' : contentText(said),
    ...routedModel(response?.model),
    messageId: asText(response?.id),
    usage: completionUsage(response?.usage),
    stop: action === 'reject' ? 'refusal' : undefined,
  });
  if (action === 'finish' || action === 'reject') send({ kind: 'end', reason: 'normal' });
  if (/^(?:finish|reject|message|think)$/.test(action)) return;
  const id = asId(record.id) ?? `${state.events}`;
  if (action === 'delegate') {
    remember(state.spawned, id, true);
    send({ kind: 'spawn', spawnId: id });
    return;
  }
  const { thought: _said, ...input } = args;
  const callId = asText(about?.tool_call_id) ?? `action-${id}`;
  remember(state.open, id, callId);
  const isMcp = action === 'mcp' || action === 'call_tool_mcp';
  sendCall(send, callId, isMcp ? (asText(args.name) ?? action) : (TOOL_NAMES.get(action) ?? action), input);
}

const SILENT_OBSERVATIONS =
  /^(?:null|recall|chat|message|microagent|workspace_context|system|think|loop_recovery|agent_state_changed)$/;

function readObservation(line: Line<State>): unknown {
  const { state, record, send } = line;
  const observation = String(record.observation);
  if (observation === 'agent_state_changed') return readAgentState(line);
  if (observation === 'condense') return send({ kind: 'compaction' });
  const cause = asId(record.cause) ?? '';
  if (state.spawned.delete(cause))
    return send({ kind: 'spawn', spawnId: cause, ok: observation !== 'error' });
  const callId = state.open.get(cause);
  if (callId !== undefined) {
    state.open.delete(cause);
    return sendResult(send, callId, { text: contentText(record.content), ...outcomeOf(record) });
  }
  // An error without a call is the runtime's own; the state that follows shows its effect.
  const isSilent = SILENT_OBSERVATIONS.test(observation) || observation === 'error' || cause !== '';
  return isSilent ? undefined : `observation ${observation}`;
}

/** Kinds that only arrive when the action worked: a failure arrives as the kind `error` instead. */
const ARRIVES_WHEN_DONE = new Set(['read', 'write', 'edit', 'task_tracking', 'success', 'file_download']);

function outcomeOf({ observation, extras: stated, content, success }: JsonObject): Outcome {
  const extras = asObject(stated);
  switch (observation) {
    case 'error':
      return { ok: false };
    case 'user_rejected':
      return { denied: true };
    case 'run': {
      const code = asObject(extras?.metadata)?.exit_code ?? extras?.exit_code;
      // It was still going when the runtime stopped waiting.
      if (code === -1) return { running: true };
      return typeof code !== 'number' && typeof success === 'boolean' ? { ok: success } : exited(code);
    }
    case 'browse':
    case 'browse_interactive':
      return { ok: extras?.error !== true };
    default:
      return ARRIVES_WHEN_DONE.has(String(observation))
        ? { ok: !/^\s*ERROR:/.test(contentText(content)) }
        : {};
  }
}

/** A stop counts only while the agent worked: the runtime also stops an agent that is done. */
function readAgentState({ state, record, send }: Line<State>): void {
  const extras = asObject(record.extras);
  const before = state.agentState;
  state.agentState = asText(extras?.agent_state) ?? '';
  if (state.agentState === 'stopped' && before !== 'running') return;
  const reason = endOfState(state.agentState, asText(extras?.reason) ?? '');
  if (reason !== undefined) send({ kind: 'end', reason });
}

/** Undefined: the state ends nothing. */
function endOfState(state: string, why: string): EndReason | undefined {
  if (/^(?:finished|awaiting_user_input|rejected)$/.test(state)) return 'normal';
  if (state === 'stopped') return 'aborted';
  if (state !== 'error') return undefined;
  const isLimit = /maximum (?:number of )?iteration|max_iterations|budget|context window/i;
  return isLimit.test(why.slice(0, 500)) ? 'limit' : 'error';
}
