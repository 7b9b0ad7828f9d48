/**
 * A tree of spans → events, by time. A span has two moments, its start and its end: a message is requested and
 * answered, a tool is called and returns, an agent begins and ends.
 */
import type { EndReason, UnplacedEvent } from '../../../event.ts';
import { cutText, defined, shown } from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import { placeEvent } from '../chat.ts';
import type { Emit } from '../format.ts';
import {
  endOf,
  messageIdOf,
  modelOf,
  providerOf,
  type Role,
  serviceOf,
  spanCost,
  spanUsage,
  stopOf,
} from './facts.ts';
import { inputMessages, isSaid, type Message, requestOf } from './messages.ts';
import { callIdOf, type Node, stepName, type Tree, textKey } from './tree.ts';

/** State of a session between spans, so that repeated histories and layered spans count once. */
export type SessionMemory = {
  /** The last session information that was emitted. */
  announced: string;
  replies: number;
  /** The last request to a model failed. */
  broken: boolean;
  /** Its last reply called a tool. */
  calling: boolean;
  /** User message (its hash) → how often it occurs in one history. */
  readonly users: Map<string, number>;
  /** Call → its tool and input, and whether it has a result. */
  readonly calls: Map<string, string>;
};

const MAX_SESSIONS = 500;
const MAX_USERS = 300;
const MAX_CALLS = 500;

function memoryOf(sessions: Map<string, SessionMemory>, id: string): SessionMemory {
  const known = sessions.get(id);
  if (known !== undefined) return known;
  const users = new Map<string, number>();
  const memory = {
    announced: '',
    replies: 0,
    broken: false,
    calling: false,
    users,
    calls: new Map<string, string>(),
  };
  remember(sessions, id, memory, MAX_SESSIONS);
  return memory;
}

/** One moment of a span, with what is known then. */
type Moment = {
  readonly node: Node;
  readonly tree: Tree;
  readonly memory: SessionMemory;
  /** `session`: when it is not its own. */
  readonly tell: (event: UnplacedEvent, session?: string) => void;
};

const OUTERMOST_FIRST = ['other', 'agent', 'tool', 'chat'];

const MOMENTS: Readonly<
  Record<Role, readonly [start: (moment: Moment) => void, end: (moment: Moment) => void]>
> = {
  chat: [asked, replied],
  tool: [toolCalled, toolAnswered],
  agent: [agentStarted, agentEnded],
  other: [workBegan, workEnded],
};

export function emitTree(tree: Tree, sessions: Map<string, SessionMemory>, emit: Emit): void {
  const moments = tree.nodes.flatMap((node) => {
    const { span } = node;
    if (node.role === undefined) {
      const isFailedRoot = node.failed && span.parentId === undefined && node.heard.size === 1;
      if (!isFailedRoot) return [];
      const at = span.end ?? span.start;
      return [{ node, at, time: at ?? 0, rank: 2, nesting: 0, happen: applicationFailed }];
    }
    // A tool cannot start before the model called it.
    const start = Math.max(node.call?.at ?? 0, node.time);
    const end = Math.max(start, span.end ?? start);
    const depth = OUTERMOST_FIRST.indexOf(node.role);
    const [onStart, onEnd] = MOMENTS[node.role];
    // What ends comes before what starts at the same instant, children end before parents and start after them.
    return [
      { node, at: span.start ?? span.end, time: start, rank: 1, nesting: depth, happen: onStart },
      {
        node,
        at: span.end ?? span.start,
        time: end,
        rank: end > start ? 0 : 2,
        nesting: end > start ? -start : -depth,
        happen: onEnd,
      },
    ];
  });
  moments.sort((a, b) => a.time - b.time || a.rank - b.rank || a.nesting - b.nesting);
  for (const { node, at, happen } of moments) {
    const place = { line: node.span.line, at: at === undefined ? undefined : Math.round(at) };
    const [session] = node.role === undefined ? node.heard : [node.session];
    const tell = (event: UnplacedEvent, other = session ?? node.session): void =>
      emit(placeEvent(event, place), other);
    happen({ node, tree, memory: memoryOf(sessions, session ?? node.session), tell });
  }
}

/** A span of the application around the agent: its failure is the agent's end where the agent had still to go on. */
function applicationFailed({ node, memory, tell }: Moment): void {
  if (memory.calling) tell({ kind: 'end', reason: endOf(node.span) });
}

/** Emits session information when it is new. Each reply names its model. */
function announce(
  { node, memory, tell }: Moment,
  more: { parentSessionId?: string; agent?: string } = {},
): void {
  const agent = more.agent ?? (memory.announced === '' ? serviceOf(node.span) : undefined);
  const said = JSON.stringify([agent, more.parentSessionId]);
  if (memory.announced === said || (memory.announced !== '' && agent === undefined)) return;
  memory.announced = said;
  const trigger = more.parentSessionId === undefined ? undefined : ('subagent' as const);
  tell({ kind: 'session', sessionId: node.session, ...more, agent, trigger });
}

function asked(moment: Moment): void {
  const { node, memory, tell } = moment;
  if (node.outerMessage !== undefined) return;
  announce(moment);
  // Each request repeats the whole conversation: only its new messages happened now.
  const messages = inputMessages(node.span);
  hearCalls(moment, messages);
  const given = node.inputAbove;
  const said = given === undefined ? messages.filter(isSaid) : laterTurns(messages, given);
  const texts = said.map(({ text }) => text).filter((text) => !OBSERVATION.test(text));
  const origin = originOf(node);
  for (const text of newTexts(memory, texts)) tell({ kind: 'user', origin, text });
}

/** What a harness sends to its model with the user role. */
const OBSERVATION = /^\s*(?:observation|tool (?:result|output|response)|function (?:result|output))s?\b/i;

/**
 * The user gave the run its task; other messages with the user role may come from the harness. Where the harness passes
 * the user's text on unchanged, a message after an answer is the user again.
 */
function laterTurns(messages: readonly Message[], given: readonly string[]): Message[] {
  const isTask = ({ text }: Message) => given.includes(textKey(text));
  if (!messages.some((one) => isSaid(one) && isTask(one))) return [];
  return messages.filter((one, index) => {
    const before = messages[index - 1];
    const isAfterAnswer = before?.role === 'assistant' && before.calls.length === 0 && before.text !== '';
    return isSaid(one) && (isTask(one) || isAfterAnswer);
  });
}

/** The messages of a history that were not in an earlier one. Saying the same twice is two messages. */
function newTexts({ users }: SessionMemory, texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return texts.filter((text) => {
    const hash = textKey(text);
    const times = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, times);
    if (times <= (users.get(hash) ?? 0)) return false;
    remember(users, hash, times, MAX_USERS);
    return true;
  });
}

/** The calls that a history repeats, and their results. */
function hearCalls({ memory, tell }: Moment, messages: readonly Message[]): void {
  const open: string[] = [];
  const ids = new Map<string, string>();
  const seen = new Map<string, number>();
  for (const { calls, results } of messages) {
    for (const { id, tool, input } of calls) {
      const key = callKey(tool, input);
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      let callId = id !== undefined && isCalled(memory, id) ? id : nthCall(memory, key, times);
      // Some answers are recorded without their calls: then the next request shows them first. What precedes the first
      // recorded answer is not part of the run.
      if (callId === undefined && id !== undefined && memory.replies > 0) {
        callId = id;
        call({ memory, tell }, id, tool, input);
      }
      if (callId === undefined) continue;
      if (id === undefined) open.push(callId);
      else ids.set(id, callId);
    }
    for (const { id, text, ok } of results) {
      const callId = id === undefined ? open.shift() : (ids.get(id) ?? id);
      if (callId !== undefined) answer({ memory, tell }, callId, text, ok);
    }
  }
}

const DONE = 'done ';

function callKey(tool: string, input: unknown): string {
  return `${tool} ${textKey(shown(input) ?? '')}`;
}

function isCalled({ calls }: SessionMemory, callId: string): boolean {
  return calls.get(callId) !== undefined;
}

function call(
  { memory, tell }: Pick<Moment, 'memory' | 'tell'>,
  callId: string,
  tool: string,
  input: unknown,
): void {
  if (isCalled(memory, callId)) return;
  remember(memory.calls, callId, callKey(tool, input), MAX_CALLS);
  tell({ kind: 'call', callId, tool, input });
}

function answer(
  { memory, tell }: Pick<Moment, 'memory' | 'tell'>,
  callId: string,
  text: string | undefined,
  ok: boolean | undefined,
): void {
  const key = memory.calls.get(callId);
  if (key === undefined || key.startsWith(DONE)) return;
  remember(memory.calls, callId, `${DONE}${key}`, MAX_CALLS);
  tell({ kind: 'result', callId, ok, text: text === undefined ? undefined : cutText(text) });
}

/** Answers in a history without ids: the second answer to the same call belongs to the second such call. */
function nthCall({ calls }: SessionMemory, key: string, n: number): string | undefined {
  let seen = 0;
  for (const [callId, known] of calls) {
    if (known !== key && known !== `${DONE}${key}`) continue;
    seen += 1;
    if (seen === n) return callId;
  }
  return undefined;
}

/** Spans of tools may carry no id: then it is the oldest call with the same input, or of the same tool. */
function oldestWaiting({ calls }: SessionMemory, tool: string, input: unknown): string | undefined {
  const key = callKey(tool, input);
  let oldest: string | undefined;
  for (const [callId, waiting] of calls) {
    if (waiting === key) return callId;
    if (waiting.startsWith(`${tool} `)) oldest ??= callId;
  }
  return oldest;
}

/** The user's request to a run; messages between agents are no turns. */
function hearRequest({ node, memory, tell }: Moment): void {
  if (node.asked === undefined) return;
  const { texts, isHistory } = requestOf(node.span);
  const origin = originOf(node);
  for (const text of isHistory ? newTexts(memory, texts) : texts) {
    // Said now, however often it occurred before.
    const hash = textKey(text);
    if (!isHistory) remember(memory.users, hash, (memory.users.get(hash) ?? 0) + 1, MAX_USERS);
    tell({ kind: 'user', origin, text });
  }
}

/** An agent's message to its sub-agent is no user turn. */
function originOf(node: Node): 'user' | 'runtime' | 'subagent' {
  const caller = node.role === 'agent' ? node.caller : node.callerBut(undefined)?.caller;
  // A dispatcher without a request of its own passes the user's on.
  if (caller === undefined || (caller.silent !== undefined && caller.asked === undefined)) return 'user';
  return caller.sessionOtherThan(node.session) === undefined ? 'runtime' : 'subagent';
}

function replied({ node, memory, tell }: Moment): void {
  const { span } = node;
  const outer = node.outerMessage;
  const messages = outer === undefined ? node.output : [];
  const said = messages.map(({ text }) => text).filter((one) => one !== '');
  const text = said.join('\n');
  const calls = messages.flatMap((message) => message.calls);
  // An agent above may have reported the usage of all models below it.
  const isNew = ![...node.above()].some(({ spoke }) => spoke);
  const usage = isNew ? spanUsage(span) : undefined;
  memory.broken = node.failed;
  if (memory.broken && text === '' && calls.length === 0 && usage === undefined) {
    // A failed request is no model message; it is the end, unless another one follows.
    if (outer === undefined) tell({ kind: 'end', reason: endOf(span) });
    return;
  }
  memory.replies += 1;
  memory.calling = calls.length > 0;
  // Most instrumentation records content only on request.
  const isMissing = outer === undefined && text === '' && !messages.some((message) => message.recorded);
  const about = {
    usage,
    costUsd: isNew ? spanCost(span) : undefined,
    model: modelOf(span),
    provider: providerOf(span),
    stop: stopOf(span, messages[0]?.finish, calls.length > 0),
    textMissing: isMissing ? (true as const) : undefined,
    usageOfSeveral: node.role === 'agent' ? (true as const) : undefined,
  };
  tell({ kind: 'reply', messageId: outer ?? messageIdOf(span), text, ...defined(about) });
  for (const [index, { id, tool, input }] of calls.entries())
    call({ memory, tell }, id ?? callIdOf(node, index), tool, input);
}

function toolCalled(moment: Moment): void {
  const { node } = moment;
  if (node.tool === undefined || node.isInnerCall) return;
  announce(moment);
  call(moment, calledAs(moment), node.tool.tool, node.tool.input);
}

function toolAnswered(moment: Moment): void {
  const { tool, isInnerCall } = moment.node;
  if (tool !== undefined && !isInnerCall) answer(moment, calledAs(moment), tool.text, tool.ok);
}

function calledAs({ node, memory }: Moment): string {
  const { span, tool } = node;
  if (isCalled(memory, span.spanId)) return span.spanId;
  return (
    node.call?.callId ?? tool?.callId ?? oldestWaiting(memory, tool?.tool ?? '', tool?.input) ?? span.spanId
  );
}

/** Work that is neither a message nor a call: the outermost of it is the run. */
function workBegan(moment: Moment): void {
  if (moment.node.asked === undefined) return;
  announce(moment);
  hearRequest(moment);
}

function workEnded(moment: Moment): void {
  const { node, tell } = moment;
  const isOutermost = node.span.parentId === undefined || node.isOpenAbove;
  const isPartOfWork = [...node.above()].some(({ role }) => role !== undefined);
  if (isOutermost && node.failed && !isPartOfWork) tell({ kind: 'end', reason: endOf(node.span) });
  tellStep(moment);
}

/** Emits a step as a call with its result, where it counts as one. */
function tellStep({ node, tell }: Moment, session?: string): void {
  if (!node.isStepCall) return;
  const { span } = node;
  const tool = stepName(span);
  // Each is a separate call on the same target.
  tell({ kind: 'call', callId: span.spanId, tool, input: { id: tool, step: span.spanId } }, session);
  tell({ kind: 'result', callId: span.spanId, ok: !node.failed, text: cutText(span.statusText) }, session);
}

/** An agent begins and is done: as a session, or as the sub-agent of another one. */
function agentStarted(moment: Moment): void {
  const { node, tell } = moment;
  const { agent: name, caller } = node;
  if (node.isLayer) return;
  const parentSessionId = caller?.sessionOtherThan(node.session);
  const agent = name ?? serviceOf(node.span);
  if (caller === undefined || parentSessionId !== undefined)
    announce(moment, defined({ agent, parentSessionId }));
  if (caller !== undefined) tell(spawnOf(node, parentSessionId), parentSessionId);
  hearRequest(moment);
}

function agentEnded(moment: Moment): void {
  const { node, memory, tell } = moment;
  const { caller } = node;
  const parentSessionId = caller?.sessionOtherThan(node.session);
  tellStep(moment, parentSessionId);
  if (node.isLayer) return;
  if (speaksForItself(moment)) {
    replied(moment);
    node.spoke = true;
  }
  const own = endOf(node.span);
  const reason = own === 'normal' && memory.broken ? 'error' : own;
  if (caller === undefined || parentSessionId !== undefined) tell({ kind: 'end', reason });
  if (caller !== undefined)
    tell({ ...spawnOf(node, parentSessionId), ...endedWell(reason) }, parentSessionId);
}

/** Who was stopped has not failed. */
function endedWell(reason: EndReason): { ok?: boolean } {
  return reason === 'aborted' ? {} : { ok: reason === 'normal' };
}

/** What an agent used is what the models below it used: it counts only where none of them is recorded. */
function speaksForItself({ node, tree, memory }: Moment): boolean {
  if (!node.tellsUsage || node.heard.has(node.session)) return false;
  // A model of this session may be below this agent where spans in between are missing.
  return !tree.heardSomewhere.has(node.session) && !(tree.isCut && memory.replies > 0);
}

/** A sub-agent with its own conversation is a separate session. */
function spawnOf(node: Node, parentSessionId: string | undefined): Extract<UnplacedEvent, { kind: 'spawn' }> {
  const sessionId = parentSessionId === undefined ? undefined : node.session;
  return { kind: 'spawn', spawnId: node.span.spanId, sessionId };
}
