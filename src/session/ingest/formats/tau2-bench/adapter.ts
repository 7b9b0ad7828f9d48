/**
 * Result files of tau2-bench: `{info, tasks, simulations}`. One simulation is one session. The simulated person has
 * tools too; what it does with them is the person's doing. The reward is a label, never evidence: only
 * `tau2Outcomes` looks at it. Events point at the message, counted over the whole file.
 */
import type { EndReason } from '../../../event.ts';
import { tellingStem } from '../../files/name-by-file.ts';
import {
  asArray,
  asCost,
  asCount,
  asId,
  asObject,
  asObjects,
  asText,
  asTime,
  completionUsage,
  contentText,
  defined,
  type JsonObject,
  routedModel,
  sampled,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import {
  claim,
  emitCalls,
  emitEnd,
  emitResult,
  emitTurn,
  endsConversation,
  type MessagePlace,
  type RunLabel,
  withoutSignals,
} from '../tau-bench/messages.ts';

export type Tau2State = {
  readonly stem: string;
  agent?: string;
  model?: string;
  provider?: string;
  messages: number;
  /** How often an id was used; a file joined from several has some twice. */
  readonly ids: Record<string, number>;
};

const ENDS: ReadonlyMap<unknown, EndReason> = new Map<unknown, EndReason>([
  ['user_stop', 'normal'],
  ['agent_stop', 'normal'],
  ['max_steps', 'limit'],
  ['context_window_exceeded', 'limit'],
  ['timeout', 'timeout'],
  ['too_many_errors', 'error'],
  ['agent_error', 'error'],
  ['user_error', 'error'],
  ['infrastructure_error', 'error'],
  ['unexpected_error', 'error'],
]);

const STOPS = new Map([
  ['stop', 'end'],
  ['tool_calls', 'tool'],
  ['length', 'length'],
  ['content_filter', 'refusal'],
] as const);

export const tau2Adapter: Adapter<Tau2State> = {
  detect: ({ records, document }: Sample) =>
    sampled(records, document).some(
      (record) => isSimulation(record) || (Array.isArray(record.simulations) && 'info' in record),
    ),
  start: ({ path }: FileInfo) => ({ stem: tellingStem(path), messages: 0, ids: {} }),
  step: (state, record, _line, emit) => {
    const element = asObject(record);
    if (element === undefined) return 'simulation';
    if (isSimulation(element)) readSimulation(state, element, emit);
    else if (asObject(element.info) !== undefined) readInfo(state, element);
    else return 'simulation';
    return undefined;
  },
  elements: elementsOf,
};

/** The agent and its model are told outside the simulations, and are needed before them. */
function* elementsOf(document: unknown): Iterable<unknown> {
  const results = asObject(document);
  if (Array.isArray(document)) return yield* document;
  if (results === undefined || isSimulation(results)) return yield document;
  yield { info: results.info ?? {} };
  yield* asArray(results.simulations);
}

function isSimulation(record: JsonObject): boolean {
  return (
    Array.isArray(record.messages) &&
    asId(record.task_id) !== undefined &&
    ('termination_reason' in record || 'reward_info' in record)
  );
}

function readInfo(state: Tau2State, element: JsonObject): void {
  const agent = asObject(asObject(element.info)?.agent_info);
  Object.assign(state, defined({ agent: asText(agent?.implementation) }), routedModel(agent?.llm));
}

function readSimulation(state: Tau2State, simulation: JsonObject, emit: Emit): void {
  const session = sessionIdOf(state.stem, state.ids, simulation);
  const { agent, model, provider } = state;
  const first = { line: state.messages + 1, ...defined({ at: asTime(simulation.start_time) }) };
  const costUsd = asCost(simulation.agent_cost, undefined);
  emit(
    { kind: 'session', sessionId: session, ...defined({ agent, model, provider, costUsd }), ...first },
    session,
  );
  const messages = asArray(simulation.messages).map(asObject);
  for (const [index, message] of messages.entries()) {
    state.messages += 1;
    if (message === undefined || (index === 0 && isGreeting(message))) continue;
    const at = asTime(message.timestamp);
    readMessage(state, message, { session, line: state.messages, ...defined({ at }) }, emit);
  }
  const reason = ENDS.get(simulation.termination_reason) ?? inferredEnd(messages.at(-1));
  const at = asTime(simulation.end_time);
  if (reason !== undefined)
    emitEnd(reason, { session, line: Math.max(state.messages, first.line), ...defined({ at }) }, emit);
}

/** Every conversation opens with the same canned words; no model said them. */
function isGreeting(message: JsonObject): boolean {
  return (
    message.role === 'assistant' &&
    asObject(message.usage) === undefined &&
    asArray(message.tool_calls).length === 0
  );
}

function inferredEnd(last: JsonObject | undefined): EndReason | undefined {
  return last !== undefined && endsConversation(contentText(last.content)) ? 'normal' : undefined;
}

function readMessage(state: Tau2State, message: JsonObject, place: MessagePlace, emit: Emit): void {
  if (message.role === 'assistant') readReply(state, message, place, emit);
  if (message.role === 'user') emitTurn(message.content, place, emit);
  if (message.role !== 'tool') return;
  const answers = asObjects(message.tool_messages);
  for (const answer of answers.length > 0 ? answers : [message]) readAnswer(answer, place, emit);
}

function readReply(state: Tau2State, message: JsonObject, place: MessagePlace, emit: Emit): void {
  const { session, ...at } = place;
  const usage = completionUsage(message.usage);
  const stop = STOPS.get(asObject(message.raw_data)?.finish_reason as never);
  const { model, provider } = state;
  const costUsd = asCost(message.cost, usage);
  const text = withoutSignals(contentText(message.content));
  emit({ kind: 'reply', text, ...defined({ model, provider, usage, costUsd, stop }), ...at }, session);
  emitCalls(message, place, emit);
}

function readAnswer(answer: JsonObject, place: MessagePlace, emit: Emit): void {
  const callId = asId(answer.id) ?? asId(answer.tool_call_id);
  if (callId === undefined || answer.requestor === 'user') return;
  emitResult(callId, answer.content, answer.error, place, emit);
}

/** Simulations have ids that are theirs alone; one without is told by its file, like a run of tau-bench. */
function sessionIdOf(stem: string, ids: Record<string, number>, simulation: JsonObject): string {
  const told = [stem, asId(simulation.task_id), asId(simulation.trial)];
  const own = asId(simulation.id) ?? told.filter((part) => part !== undefined).join(':');
  if (claim(ids, own) === 1) return own;
  const withTrial = `${own}:${asId(simulation.trial) ?? '0'}`;
  const times = claim(ids, withTrial);
  return times === 1 ? withTrial : `${withTrial}#${times}`;
}

/** Domains number their tasks alike. */
function taskOf(document: unknown, simulation: JsonObject): string | undefined {
  const about = asObject(asObject(asObject(document)?.info)?.environment_info);
  const [domain, task] = [asText(about?.domain_name), asId(simulation.task_id)];
  return domain === undefined || task === undefined ? task : `${domain}:${task}`;
}

/** What became of each simulation, for calibration only. */
export function tau2Outcomes(document: unknown, file: FileInfo): RunLabel[] {
  const ids: Record<string, number> = {};
  return [...elementsOf(document)].flatMap((element) => {
    const simulation = asObject(element);
    if (simulation === undefined || !isSimulation(simulation)) return [];
    const sessionId = sessionIdOf(tellingStem(file.path), ids, simulation);
    const reward = asCount(asObject(simulation.reward_info)?.reward);
    return reward === undefined
      ? []
      : [{ sessionId, outcome: Math.min(1, reward), ...defined({ task: taskOf(document, simulation) }) }];
  });
}
