/**
 * Result files of tau-bench, an array of runs `{task_id, reward, info, traj, trial}`, and of tau2-bench, `{info, tasks,
 * simulations}`. One run is one session. The simulated user of tau2-bench has tools too; its calls are the user's
 * actions. The reward is a label, never evidence: only `readTauOutcomes` reads it. Events point at the message, counted
 * over the whole file.
 */
import type { EndReason, ReplyEvent } from '../../event.ts';
import { uniqueStem } from '../files/name-by-file.ts';
import {
  asArray,
  asCost,
  asCount,
  asId,
  asObject,
  asObjects,
  asText,
  completionUsage,
  contentText,
  type JsonObject,
  parsed,
  routedModel,
} from '../json/json-fields.ts';
import {
  anyRecord,
  type Call,
  type Chat,
  type ChatState,
  chatAdapter,
  type Line,
  type Result,
  sendCall,
  sendResult,
  sendUser,
  stopOf,
} from './chat.ts';
import type { FileInfo } from './format.ts';
import type { Harness } from './harness.ts';

type State = ChatState & {
  readonly stem: string;
  agent?: string;
  messages: number;
  /** The place of the first message of the run. */
  first: number;
  /** Calls that still wait for their answer. */
  open: string[];
  /** How often an id was used; a file joined from several has some twice. */
  readonly ids: Record<string, number>;
};

/** The result of a run, 0–1. */
export type RunLabel = { readonly sessionId: string; readonly outcome: number; readonly task?: string };

/** The simulated person ends a conversation with one of these words; they are for the simulator, not for the agent. */
const SIGNAL = /###(?:STOP|TRANSFER|OUT-OF-SCOPE)###/g;
/** The tool that ends a run: the agent transfers the user to a human. */
const HANDOFF = 'transfer_to_human_agents';
/** Agents that write their calls as text get the answer as a message that begins so. */
const TEXT_RESULT = 'API output: ';

function withoutSignals(text: string): string {
  return text.replace(SIGNAL, '').trim();
}

function isLastWord({ content }: JsonObject): boolean {
  return contentText(content).search(SIGNAL) >= 0;
}

/** What both have in common: a head, messages that are counted, and an end. */
const COMMON: Pick<Chat<State>, 'place' | 'start' | 'otherwise' | 'said' | 'calls'> = {
  start: ({ path }) => ({ stem: uniqueStem(path), messages: 0, first: 1, open: [], ids: {} }),
  place: ({ role }, state) => {
    if (role === 'head' || role === 'info') state.first = state.messages + 1;
    else if (role !== 'tail') state.messages += 1;
    return Math.max(state.messages, state.first);
  },
  otherwise: () => undefined,
  // A message with only a signal is no turn.
  said: (text) => ({ text: withoutSignals(text) }),
  calls: callsOf,
};

/** The calls of an assistant message in either spelling. */
function callsOf({ function_call, tool_calls }: JsonObject, { line, state }: Line<State>): Call[] {
  const calls = [...asObjects(tool_calls), ...asObjects([function_call])].flatMap((call, index): Call[] => {
    const called = asObject(call.function) ?? call;
    if (asText(called.name) === undefined || call.requestor === 'user') return [];
    return [
      { id: asId(call.id) ?? `${line}.${index + 1}`, name: called.name, input: parsed(called.arguments) },
    ];
  });
  state.open = calls.map(({ id }) => String(id));
  return calls;
}

/** `error` is the format's own mark, where it has one; not all versions of either format do. */
function outcomeOf(content: unknown, error?: unknown): Omit<Result, 'id'> {
  const text = contentText(content);
  const failed = typeof error === 'boolean' ? error : /^\s*(?:Error\b|Unknown action\b)/.test(text);
  return { ok: !failed, text };
}

/** How often an id was used so far, this time included. */
function claim(ids: Record<string, number>, id: string): number {
  const times = (ids[`id ${id}`] ?? 0) + 1;
  ids[`id ${id}`] = times;
  return times;
}

function nameOf(stem: string, run: JsonObject): string {
  return [stem, asId(run.task_id), asId(run.trial)].filter((part) => part !== undefined).join(':');
}

export const tauAdapter = chatAdapter<State>({
  ...COMMON,
  detect: anyRecord(isRun),
  within: function* (run) {
    if (!isRun(run)) return yield { role: 'info' };
    const { traj, ...about } = run;
    yield { role: 'head', about };
    for (const message of asArray(traj)) yield asObject(message) ?? {};
    yield { role: 'tail', about, last: asArray(traj).at(-1) };
  },
  kind: ({ role }) => (role === 'function' ? 'tool' : asText(role)),
  readers: {
    info: () => 'run',
    head: ({ state, record, send }) => {
      state.session = runId(state.stem, state.ids, asObject(record.about) ?? {});
      state.open = [];
      // The benchmark's own file names state strategy, model and temperature; other names state nothing.
      const named = /^(?:tool-calling|act|react|few-shot)-(.+)-\d\.\d+_range_/.exec(state.stem)?.[1];
      state.model = named?.split('/').at(-1);
      send({ kind: 'session', sessionId: state.session, agent: 'tau-bench', model: state.model });
    },
    assistant: readTauReply,
    user: ({ state, record, send }) => {
      const text = contentText(record.content);
      const [waiting] = state.open;
      if (waiting === undefined || !text.startsWith(TEXT_RESULT)) return sendUser(send, withoutSignals(text));
      sendResult(send, waiting, outcomeOf(text.slice(TEXT_RESULT.length)));
      state.open = [];
    },
    tail: ({ record, send }) => {
      const last = record.last === undefined ? undefined : (asObject(record.last) ?? {});
      send({
        kind: 'end',
        reason: last === undefined ? endOfNothing(asObject(record.about)) : endAfter(last),
      });
    },
  },
  results: ({ role, tool_call_id, content }, { state }) => {
    if (role !== 'tool' && role !== 'function') return [];
    const id = asId(tool_call_id) ?? state.open[0];
    state.open = state.open.includes(id ?? '') ? state.open.filter((one) => one !== id) : state.open.slice(1);
    return [{ id, ...outcomeOf(content) }];
  },
});

function isRun({ traj, task_id }: JsonObject): boolean {
  return Array.isArray(traj) && asId(task_id) !== undefined;
}

function runId(stem: string, ids: Record<string, number>, run: JsonObject): string {
  const id = nameOf(stem, run);
  const times = claim(ids, id);
  return times === 1 ? id : `${id}#${times}`;
}

function readTauReply(line: Line<State>): void {
  const { state, record, send } = line;
  const text = contentText(record.content);
  const written = writtenCall(text);
  send({ kind: 'reply', text: written?.reply ?? text, model: state.model });
  for (const { id, name, input } of callsOf(record, line)) sendCall(send, String(id), name, input);
  if (written?.tool === undefined) return;
  state.open.push(`${line.line}.text`);
  sendCall(send, `${line.line}.text`, written.tool, written.input);
}

/** `Thought: … Action: {"name": …, "arguments": …}`; the action `respond` is the message to the user. */
function writtenCall(text: string): { reply: string; tool?: string; input?: unknown } | undefined {
  const at = text.lastIndexOf('Action:');
  const action = at < 0 ? undefined : asObject(parsed(text.slice(at + 'Action:'.length).trim()));
  const tool = asText(action?.name);
  const input = asObject(action?.arguments);
  if (tool === undefined || input === undefined) return undefined;
  return tool === 'respond' ? { reply: asText(input.content) ?? '' } : { reply: '', tool, input };
}

/**
 * No field has the end of a run: its last message shows it. The benchmark stops at the signal, the transfer or its step
 * limit.
 */
function endAfter(last: JsonObject): EndReason {
  if (last.role === 'tool' && last.name === HANDOFF) return 'handoff';
  return last.role === 'user' && isLastWord(last) ? 'normal' : 'limit';
}

/** A run that broke down has an error in place of its messages. */
function endOfNothing(run: JsonObject | undefined): EndReason {
  return asText(asObject(run?.info)?.error) === undefined ? 'unknown' : 'error';
}

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

export const tau2Adapter = chatAdapter<State>({
  ...COMMON,
  detect: anyRecord(
    (record) => isSimulation(record) || (Array.isArray(record.simulations) && 'info' in record),
  ),
  elements: simulationsIn,
  within: function* (record) {
    if (!isSimulation(record)) return yield { ...record, role: 'info' };
    const { messages, ...about } = record;
    yield { role: 'head', about, timestamp: about.start_time };
    for (const [index, one] of asArray(messages).entries()) {
      const message = asObject(one) ?? {};
      yield index === 0 && isGreeting(message) ? { role: 'greeting' } : message;
    }
    yield { role: 'tail', about, last: asArray(messages).at(-1), timestamp: about.end_time };
  },
  readers: {
    // The agent and its model are outside the simulations, and are needed before them.
    info: ({ state, record }) => {
      const info = asObject(record.info);
      if (info === undefined) return 'simulation';
      const agent = asObject(info.agent_info);
      state.agent = asText(agent?.implementation) ?? state.agent;
      Object.assign(state, routedModel(agent?.llm));
      return undefined;
    },
    head: ({ state, record, send }) => {
      const about = asObject(record.about) ?? {};
      state.session = simulationId(state.stem, state.ids, about);
      const { session: sessionId, agent, model, provider } = state;
      const costUsd = asCost(about.agent_cost, undefined);
      send({ kind: 'session', sessionId, agent, model, provider, costUsd });
    },
    tail: ({ record, send }) => {
      const isOver = isLastWord(asObject(record.last) ?? {});
      const reason = ENDS.get(asObject(record.about)?.termination_reason) ?? (isOver ? 'normal' : undefined);
      if (reason !== undefined) send({ kind: 'end', reason });
    },
  },
  reply: (message): Partial<ReplyEvent> => {
    const usage = completionUsage(message.usage);
    return {
      text: withoutSignals(contentText(message.content)),
      usage,
      costUsd: asCost(message.cost, usage),
      stop: stopOf(asObject(message.raw_data)?.finish_reason),
    };
  },
  results: (message) => {
    if (message.role !== 'tool') return [];
    const answers = asObjects(message.tool_messages);
    return (answers.length > 0 ? answers : [message])
      .filter(({ requestor }) => requestor !== 'user')
      .map((one) => ({ id: asId(one.id) ?? asId(one.tool_call_id), ...outcomeOf(one.content, one.error) }));
  },
});

function* simulationsIn(document: JsonObject): Generator<unknown> {
  if (isSimulation(document)) return yield document;
  yield { info: document.info ?? {} };
  yield* asArray(document.simulations);
}

function isSimulation(record: JsonObject): boolean {
  return (
    Array.isArray(record.messages) &&
    asId(record.task_id) !== undefined &&
    ('termination_reason' in record || 'reward_info' in record)
  );
}

/** Every conversation opens with the same fixed words, which no model wrote. */
function isGreeting({ role, usage, tool_calls }: JsonObject): boolean {
  return role === 'assistant' && asObject(usage) === undefined && asArray(tool_calls).length === 0;
}

/** Simulations have unique ids; one without is named after its file, like a run of tau-bench. */
function simulationId(stem: string, ids: Record<string, number>, simulation: JsonObject): string {
  const own = asId(simulation.id) ?? nameOf(stem, simulation);
  if (claim(ids, own) === 1) return own;
  const withTrial = `${own}:${asId(simulation.trial) ?? '0'}`;
  const times = claim(ids, withTrial);
  return times === 1 ? withTrial : `${withTrial}#${times}`;
}

/**
 * The labels in result files of both, for calibration only. Session ids are those of the sessions read from the same
 * file; a run without a reward has no outcome, and of tau-bench one above 0 is a success.
 */
export function readTauOutcomes(document: unknown, { path }: FileInfo): RunLabel[] {
  const ids: Record<string, number> = {};
  const stem = uniqueStem(path);
  if (asObjects(document).some(isRun))
    return asObjects(document).flatMap((run) => {
      if (!isRun(run)) return [];
      const reward = asCount(run.reward);
      return labelOf(
        runId(stem, ids, run),
        reward === undefined ? undefined : Number(reward > 0),
        asId(run.task_id),
      );
    });
  const results = asObject(document);
  const about = asObject(asObject(results?.info)?.environment_info);
  const list = results === undefined ? asArray(document) : [...simulationsIn(results)];
  return asObjects(list).flatMap((simulation) => {
    if (!isSimulation(simulation)) return [];
    const reward = asCount(asObject(simulation.reward_info)?.reward);
    // Domains number their tasks alike.
    const [domain, task] = [asText(about?.domain_name), asId(simulation.task_id)];
    const named = domain === undefined || task === undefined ? task : `${domain}:${task}`;
    return labelOf(simulationId(stem, ids, simulation), reward && Math.min(1, reward), named);
  });
}

function labelOf(sessionId: string, outcome: number | undefined, task: string | undefined): RunLabel[] {
  return outcome === undefined ? [] : [{ sessionId, outcome, ...(task !== undefined && { task }) }];
}

export const harness: Harness = {
  name: 'tau-bench',
  labels: (document, path) => {
    const labels = readTauOutcomes(document, { path });
    if (labels.length === 0) return undefined;
    return labels.map(({ sessionId, outcome, task }) => ({ outcome, task, of: { session: sessionId } }));
  },
};
