/**
 * Result files of tau-bench: an array of runs `{task_id, reward, info, traj, trial}`. One run is one session. The
 * reward is a label, never evidence: only `tauOutcomes` looks at it. Events point at the message, counted over the
 * whole file.
 */
import type { EndReason } from '../../../event.ts';
import { tellingStem } from '../../files/name-by-file.ts';
import {
  asArray,
  asCount,
  asId,
  asObject,
  asText,
  contentText,
  defined,
  type JsonObject,
  parsed,
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
} from './messages.ts';

export type TauState = {
  readonly stem: string;
  messages: number;
  /** How often an id was used; a file joined from several has some twice. */
  readonly ids: Record<string, number>;
};

/** The tool that ends a run: the agent gives the person to a human. */
const HANDOFF = 'transfer_to_human_agents';
/** Agents that write their calls as text get the answer as a message that begins so. */
const TEXT_RESULT = 'API output: ';

export const tauAdapter: Adapter<TauState> = {
  detect: ({ records, document }: Sample) => sampled(records, document).some(isRun),
  start: ({ path }: FileInfo) => ({ stem: tellingStem(path), messages: 0, ids: {} }),
  step: (state, record, _line, emit) => {
    const run = asObject(record);
    if (run === undefined || !isRun(run)) return 'run';
    readRun(state, run, emit);
    return undefined;
  },
  elements: asArray,
};

function isRun(run: JsonObject): boolean {
  return Array.isArray(run.traj) && asId(run.task_id) !== undefined;
}

function readRun(state: TauState, run: JsonObject, emit: Emit): void {
  const session = sessionIdOf(state.stem, state.ids, run);
  const model = modelOf(state.stem);
  const first = { line: state.messages + 1 };
  emit({ kind: 'session', sessionId: session, agent: 'tau-bench', ...defined({ model }), ...first }, session);
  const messages = asArray(run.traj).map(asObject);
  let open: string[] = [];
  for (const message of messages) {
    state.messages += 1;
    if (message !== undefined)
      open = readMessage(message, { session, line: state.messages }, open, model, emit);
  }
  readEnd(run, messages, { session, line: Math.max(state.messages, first.line) }, emit);
}

/** Returns the ids of calls that still wait for their answer. */
function readMessage(
  message: JsonObject,
  place: MessagePlace,
  open: string[],
  model: string | undefined,
  emit: Emit,
): string[] {
  if (message.role === 'assistant') return readReply(message, place, model, emit);
  if (message.role === 'tool' || message.role === 'function') {
    const [oldest, ...rest] = open;
    const callId = asId(message.tool_call_id) ?? oldest;
    if (callId === undefined) return open;
    emitResult(callId, message.content, undefined, place, emit);
    return open.includes(callId) ? open.filter((id) => id !== callId) : rest;
  }
  if (message.role !== 'user') return open;
  const text = contentText(message.content);
  const [waiting] = open;
  if (waiting !== undefined && text.startsWith(TEXT_RESULT)) {
    emitResult(waiting, text.slice(TEXT_RESULT.length), undefined, place, emit);
    return [];
  }
  emitTurn(text, place, emit);
  return open;
}

function readReply(
  message: JsonObject,
  place: MessagePlace,
  model: string | undefined,
  emit: Emit,
): string[] {
  const text = contentText(message.content);
  const written = writtenCall(text);
  const { session, ...at } = place;
  const said = written === undefined ? text : written.reply;
  emit({ kind: 'reply', text: said, ...defined({ model }), ...at }, session);
  const ids = emitCalls(message, place, emit);
  if (written?.tool === undefined) return ids;
  const callId = `${place.line}.text`;
  emit({ kind: 'call', callId, tool: written.tool, input: written.input, ...at }, session);
  return [...ids, callId];
}

/** `Thought: … Action: {"name": …, "arguments": …}`; the action `respond` is what is said to the person. */
function writtenCall(text: string): { reply: string; tool?: string; input?: unknown } | undefined {
  const at = text.lastIndexOf('Action:');
  if (at < 0) return undefined;
  const action = asObject(parsed(text.slice(at + 'Action:'.length).trim()));
  const tool = asText(action?.name);
  const input = asObject(action?.arguments);
  if (tool === undefined || input === undefined) return undefined;
  return tool === 'respond' ? { reply: asText(input.content) ?? '' } : { reply: '', tool, input };
}

/** No field says how a run ended: its last message does. The benchmark stops at the signal, the hand-off or its step limit. */
function readEnd(
  run: JsonObject,
  messages: readonly (JsonObject | undefined)[],
  place: MessagePlace,
  emit: Emit,
): void {
  const last = messages.at(-1);
  emitEnd(last === undefined ? endOfNothing(run) : endAfter(last), place, emit);
}

function endAfter(last: JsonObject): EndReason {
  if (last.role === 'tool' && last.name === HANDOFF) return 'handoff';
  return last.role === 'user' && endsConversation(contentText(last.content)) ? 'normal' : 'limit';
}

/** A run that broke down has an error in place of its messages. */
function endOfNothing(run: JsonObject): EndReason {
  return asText(asObject(run.info)?.error) === undefined ? 'unknown' : 'error';
}

function sessionIdOf(stem: string, ids: Record<string, number>, run: JsonObject): string {
  const id = [stem, asId(run.task_id), asId(run.trial)].filter((part) => part !== undefined).join(':');
  const times = claim(ids, id);
  return times === 1 ? id : `${id}#${times}`;
}

/** The benchmark's own file names state strategy, model and temperature; other names state nothing. */
function modelOf(stem: string): string | undefined {
  return /^(?:tool-calling|act|react|few-shot)-(.+)-\d\.\d+_range_/.exec(stem)?.[1]?.split('/').at(-1);
}

/** What became of each run, for calibration only: a reward above 0 is a success. */
export function tauOutcomes(document: unknown, file: FileInfo): RunLabel[] {
  const ids: Record<string, number> = {};
  return asArray(document).flatMap((element) => {
    const run = asObject(element);
    if (run === undefined || !isRun(run)) return [];
    const sessionId = sessionIdOf(tellingStem(file.path), ids, run);
    const reward = asCount(run.reward);
    return reward === undefined
      ? []
      : [{ sessionId, outcome: reward > 0 ? 1 : 0, ...defined({ task: asId(run.task_id) }) }];
  });
}
