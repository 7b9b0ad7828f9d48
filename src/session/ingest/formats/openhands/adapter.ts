/**
 * OpenHands events (version 0): actions and observations, as one array, as lines, or as the `history` of an evaluation
 * record (one line per instance; its test result is a label and is not read). An observation names the action it
 * answers in `cause`. Events point at the event, counted over the whole file.
 */
import { basename, dirname } from 'node:path';
import type { UnplacedEvent } from '../../../event.ts';
import { tokensOf } from '../../../usage.ts';
import { stemOf } from '../../files/name-by-file.ts';
import {
  asArray,
  asCost,
  asId,
  asObject,
  asObjects,
  asText,
  asTime,
  completionUsage,
  contentText,
  cutText,
  defined,
  isZero,
  type JsonObject,
  routedModel,
  sampled,
  usageOf,
} from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { endOfState, toolOutcome } from './outcome.ts';

export type OpenHandsState = {
  session: string;
  announced: boolean;
  events: number;
  /** Action → the call it made, until its observation comes. */
  readonly open: Map<string, string>;
  readonly spawned: Map<string, true>;
  costUsd: number;
  tokens: number;
  agentState: string;
};

const TOOL_NAMES = new Map([
  ['run', 'bash'],
  ['run_ipython', 'ipython'],
  ['browse_interactive', 'browser'],
]);

/** Neither done by the model nor said by a person. */
const BOOKKEEPING =
  /^(?:system|recall|null|change_agent_state|start|pause|resume|stop|condensation_request|loop_recovery)$/;
const SILENT_OBSERVATIONS =
  /^(?:null|recall|chat|message|microagent|workspace_context|system|think|loop_recovery|agent_state_changed)$/;

export const openHandsAdapter: Adapter<OpenHandsState> = {
  detect: ({ records, document }: Sample) =>
    sampled(records, document).some((record) => isEvent(record) || isEvaluation(record)),
  start: ({ path }: FileInfo) => newState(sessionNameOf(path)),
  step: (state, record, _line, emit) => {
    const event = asObject(record);
    if (event === undefined) return 'event';
    if (isEvaluation(event)) return readEvaluation(state, event, emit);
    return readEvent(state, event, emit);
  },
  elements: (document) => (Array.isArray(document) ? document : [document]),
};

/** A file is named after its session, or lies in a folder that is. */
function sessionNameOf(path: string): string {
  const stem = stemOf(path);
  const folder = basename(dirname(path));
  return /^(?:trajectory|events|history)$/i.test(stem) && /[^.]/.test(folder) ? folder : stem;
}

function newState(session: string): OpenHandsState {
  return {
    session,
    announced: false,
    events: 0,
    open: new Map(),
    spawned: new Map(),
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

function readEvaluation(state: OpenHandsState, record: JsonObject, emit: Emit): string | undefined {
  const one = { ...newState(asText(record.instance_id) ?? state.session), events: state.events };
  let unknown: string | undefined;
  for (const event of historyOf(record)) unknown = readEvent(one, event, emit) ?? unknown;
  state.events = one.events;
  return unknown;
}

function readEvent(state: OpenHandsState, event: JsonObject, emit: Emit): string | undefined {
  state.events += 1;
  const place = { line: state.events, at: asTime(event.timestamp) };
  const emitHere: EmitHere = (told) => emit(placeEvent(told, place), state.session);
  if (!state.announced) emitHere({ kind: 'session', sessionId: state.session, agent: 'openhands' });
  state.announced = true;
  readMetrics(state, event, emitHere);
  if (typeof event.action === 'string') return readAction(state, event, event.action, emitHere);
  if (typeof event.observation === 'string')
    return readObservation(state, event, event.observation, emitHere);
  return 'event';
}

type EmitHere = (event: UnplacedEvent) => void;

/** The running totals come with many events; a delegate counts its own, so only a higher one replaces. */
function readMetrics(state: OpenHandsState, event: JsonObject, emit: EmitHere): void {
  const metrics = asObject(event.llm_metrics);
  const total = asObject(metrics?.accumulated_token_usage);
  const usage = usageOf(
    total?.prompt_tokens,
    total?.completion_tokens,
    total?.cache_read_tokens,
    total?.cache_write_tokens,
  );
  const counted = usage === undefined || isZero(usage) ? undefined : usage;
  const costUsd = asCost(metrics?.accumulated_cost, undefined);
  const tokens = counted === undefined ? 0 : tokensOf(counted);
  if (costUsd === undefined && counted === undefined) return;
  if ((costUsd ?? 0) < state.costUsd || (costUsd === undefined && tokens < state.tokens)) return;
  state.costUsd = costUsd ?? state.costUsd;
  state.tokens = Math.max(state.tokens, tokens);
  emit({
    kind: 'session',
    ...defined({ usage: counted, costUsd }),
    ...(counted !== undefined && { usageIsTotal: true }),
  });
}

function readAction(
  state: OpenHandsState,
  event: JsonObject,
  action: string,
  emit: EmitHere,
): string | undefined {
  const args = asObject(event.args) ?? {};
  if (action === 'message' && event.source === 'user') {
    const text = contentText(args.content ?? event.message);
    if (text !== '') emit({ kind: 'user', origin: 'user', text });
    return undefined;
  }
  if (action === 'change_agent_state' && args.agent_state === 'stopped' && event.source === 'user')
    emit({ kind: 'interrupt' });
  if (action === 'condensation' || action === 'summarize') emit({ kind: 'compaction' });
  else if (event.source === 'agent' && !BOOKKEEPING.test(action))
    readAgentAction(state, event, action, args, emit);
  return undefined;
}

function readAgentAction(
  state: OpenHandsState,
  event: JsonObject,
  action: string,
  args: JsonObject,
  emit: EmitHere,
): void {
  emit(replyOf(event, action, args));
  if (action === 'finish' || action === 'reject') emit({ kind: 'end', reason: 'normal' });
  if (/^(?:finish|reject|message|think)$/.test(action)) return;
  const id = asId(event.id) ?? `${state.events}`;
  if (action === 'delegate') {
    remember(state.spawned, id, true);
    emit({ kind: 'spawn', spawnId: id });
    return;
  }
  const { thought: _said, ...input } = args;
  const callId = asText(asObject(event.tool_call_metadata)?.tool_call_id) ?? `action-${id}`;
  remember(state.open, id, callId);
  emit({ kind: 'call', callId, tool: toolOf(action, args), input });
}

/** Actions asked for in one answer of the model share its id, so its tokens count once. */
function replyOf(event: JsonObject, action: string, args: JsonObject): UnplacedEvent {
  const response = asObject(asObject(event.tool_call_metadata)?.model_response);
  const said =
    action === 'message' ? args.content : (asText(args.final_thought) ?? asText(args.thought) ?? '');
  const usage = completionUsage(response?.usage);
  return {
    kind: 'reply',
    text: action === 'think' ? '' : contentText(said),
    ...routedModel(response?.model),
    ...defined({ messageId: asText(response?.id), usage }),
    ...(action === 'reject' ? { stop: 'refusal' as const } : {}),
  };
}

function toolOf(action: string, args: JsonObject): string {
  if (action === 'mcp' || action === 'call_tool_mcp') return asText(args.name) ?? action;
  return TOOL_NAMES.get(action) ?? action;
}

function readObservation(
  state: OpenHandsState,
  event: JsonObject,
  observation: string,
  emit: EmitHere,
): string | undefined {
  if (observation === 'agent_state_changed') return readAgentState(state, asObject(event.extras), emit);
  if (observation === 'condense') return void emit({ kind: 'compaction' });
  const cause = asId(event.cause) ?? '';
  if (state.spawned.get(cause) !== undefined) {
    state.spawned.delete(cause);
    return void emit({ kind: 'spawn', spawnId: cause, ok: observation !== 'error' });
  }
  const callId = state.open.get(cause);
  if (callId !== undefined) {
    state.open.delete(cause);
    const text = cutText(contentText(event.content));
    return void emit({ kind: 'result', callId, text, ...toolOutcome(event) });
  }
  // An error that answers nothing is the runtime's own; the state it leads to tells.
  return SILENT_OBSERVATIONS.test(observation) || observation === 'error' || cause !== ''
    ? undefined
    : `observation ${observation}`;
}

/** A stop counts only while the agent worked: the runtime also stops an agent that is done. */
function readAgentState(state: OpenHandsState, extras: JsonObject | undefined, emit: EmitHere): undefined {
  const before = state.agentState;
  state.agentState = asText(extras?.agent_state) ?? '';
  if (state.agentState === 'stopped' && before !== 'running') return;
  const reason = endOfState(state.agentState, extras?.reason);
  if (reason !== undefined) emit({ kind: 'end', reason });
}
