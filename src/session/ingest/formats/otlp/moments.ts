/**
 * The two moments of a span, its start and its end, and what each tells: a message is asked for and answered, a tool
 * is called and comes back, an agent begins and is done.
 */
import type { EndReason, Event, SpawnEvent } from '../../../event.ts';
import { cutText, defined } from '../../json/json-fields.ts';
import { recall } from '../bounded-map.ts';
import type { Emit } from '../format.ts';
import {
  agentOf,
  endOf,
  hasFailed,
  messageIdOf,
  modelOf,
  providerOf,
  type Role,
  roleOf,
  serviceOf,
  spanCost,
  spanUsage,
  stopOf,
  toolFacts,
} from './facts.ts';
import {
  askedAbove,
  callerOf,
  hasWorkAbove,
  isHeard,
  isInnerCall,
  isLayer,
  isOpenAbove,
  isToldAbove,
  type Lineage,
  otherSession,
  outerMessage,
  SOMEWHERE,
  speak,
} from './lineage.ts';
import type { Message, MessageCall } from './message-parts.ts';
import { inputMessages, isSaid, outputMessages, requestOf } from './messages.ts';
import {
  answered,
  called,
  callKey,
  isCalled,
  isWaiting,
  newTexts,
  nthCall,
  oldestWaiting,
  type SessionMemory,
  saidNow,
  textKey,
} from './session.ts';
import type { OtlpSpan } from './span.ts';
import { stepName } from './steps.ts';
import { type AskedCall, callIdOf } from './tool-calls.ts';

/** What is known when a moment comes. */
type Surroundings = {
  readonly memory: SessionMemory;
  readonly lineage: Lineage;
  /** All spans there are have been learnt: a parent nobody knows will not come. */
  readonly complete: boolean;
  /** Spans of tools → the calls that asked for them. */
  readonly calls: ReadonlyMap<string, AskedCall>;
  /** Spans that count as a call though they are none of a tool. */
  readonly steps: ReadonlySet<string>;
  readonly emit: Emit;
};

export type SpanMoment = {
  readonly session: string;
  readonly time: number;
  readonly rank: number;
  readonly nesting: number;
  /** Returns agents whose caller cannot be told yet. */
  readonly happen: (surroundings: Surroundings) => Orphan[];
};

/** An agent that ended while the spans above it had not come. Plain JSON: it is part of the state. */
export type Orphan = {
  readonly spanId: string;
  readonly parentId: string;
  readonly agent?: string;
  readonly session: string;
  readonly end: Extract<Event, { kind: 'end' }>;
};

const MAX_ORPHANS = 500;
const OUTERMOST_FIRST = ['other', 'agent', 'tool', 'chat'];

/** `notBefore`: when the model had asked for what the span does. */
export function momentsOf(span: OtlpSpan, role: Role, session: string, notBefore = 0): SpanMoment[] {
  const start = Math.max(notBefore, span.start ?? span.end ?? 0);
  const end = Math.max(start, span.end ?? start);
  const depth = OUTERMOST_FIRST.indexOf(role);
  const [onStart, onEnd] = MOMENTS[role];
  return [
    {
      session,
      time: start,
      rank: 1,
      nesting: depth,
      happen: (surroundings) => onStart(contextOf(span, session, span.start ?? span.end, surroundings)),
    },
    {
      session,
      time: end,
      rank: end > start ? 0 : 2,
      nesting: end > start ? -start : -depth,
      happen: (surroundings) => onEnd(contextOf(span, session, span.end ?? span.start, surroundings)),
    },
  ];
}

type WithoutPlace<E> = E extends unknown ? Omit<E, 'line' | 'at'> : never;

type Context = Omit<Surroundings, 'emit'> & {
  readonly span: OtlpSpan;
  readonly session: string;
  readonly at: { readonly line: number; readonly at?: number };
  readonly tell: (event: WithoutPlace<Event>, session?: string) => void;
};
type Happening = (context: Context) => Orphan[];

const MOMENTS: Readonly<Record<Role, readonly [Happening, Happening]>> = {
  chat: [asked, replied],
  tool: [toolCalled, toolAnswered],
  agent: [agentStarted, agentEnded],
  other: [workBegan, workEnded],
};

function contextOf(
  span: OtlpSpan,
  session: string,
  time: number | undefined,
  { emit, ...rest }: Surroundings,
): Context {
  const at = { line: span.line, ...defined({ at: time === undefined ? undefined : Math.round(time) }) };
  return {
    ...rest,
    span,
    session,
    at,
    tell: (event, where = session) => emit({ ...event, ...at } as Event, where),
  };
}

/** Says whose session this is, when that is new. Which model said what is told with each reply. */
function announce(
  { span, session, memory, tell }: Context,
  more: { parentSessionId?: string; agent?: string } = {},
): void {
  const agent = more.agent ?? (memory.announced === '' ? serviceOf(span) : undefined);
  const said = JSON.stringify([agent, more.parentSessionId]);
  if (memory.announced === said || (memory.announced !== '' && agent === undefined)) return;
  memory.announced = said;
  const trigger = more.parentSessionId === undefined ? undefined : ('subagent' as const);
  tell({ kind: 'session', sessionId: session, ...more, ...defined({ agent, trigger }) });
}

function asked(context: Context): Orphan[] {
  if (outerMessage(context.lineage, context.span) !== undefined) return [];
  announce(context);
  hear(context, inputMessages(context.span));
  return [];
}

/** Each request repeats the whole conversation: only what is new in it happened now. */
function hear(context: Context, messages: readonly Message[]): void {
  const { span, memory, lineage, tell } = context;
  hearResults(context, messages);
  const asked = askedAbove(lineage, span.parentId);
  const said = asked === undefined ? messages.filter(isSaid) : laterTurns(messages, asked);
  const texts = said.map(({ text }) => text).filter((text) => !OBSERVATION.test(text));
  const origin = originOf(context);
  for (const text of newTexts(memory, texts)) tell({ kind: 'user', origin, text });
}

/** What a harness tells its model under the user's name. */
const OBSERVATION = /^\s*(?:observation|tool (?:result|output|response)|function (?:result|output))s?\b/i;

/**
 * The person is who gave the run its task; what else stands under the user's name may be the harness. Where the harness
 * passes the person's words on as they are, what is said after an answer is the person again.
 */
function laterTurns(messages: readonly Message[], asked: readonly string[]): Message[] {
  const isTask = ({ text }: Message) => asked.includes(textKey(text));
  if (!messages.some((one) => isSaid(one) && isTask(one))) return [];
  return messages.filter((one, index) => {
    if (!isSaid(one)) return false;
    const before = messages[index - 1];
    return isTask(one) || (before?.role === 'assistant' && before.calls.length === 0 && before.text !== '');
  });
}

function hearResults({ memory, tell }: Context, messages: readonly Message[]): void {
  const open: string[] = [];
  const ids = new Map<string, string>();
  const seen = new Map<string, number>();
  for (const { calls, results } of messages) {
    for (const call of calls) {
      const callId = hearCall(memory, call, seen, tell);
      if (callId === undefined) continue;
      if (call.id === undefined) open.push(callId);
      else ids.set(call.id, callId);
    }
    for (const { id: stated, text, ok } of results) {
      const id = stated === undefined ? open.shift() : (ids.get(stated) ?? stated);
      if (id === undefined || !isWaiting(memory, id)) continue;
      answered(memory, id);
      tell({
        kind: 'result',
        callId: id,
        ...defined({ ok, text: text === undefined ? undefined : cutText(text) }),
      });
    }
  }
}

/**
 * The call that a history repeats, under the id by which it is known. Some answers are recorded without the calls in
 * them: then the next request is the first to tell.
 */
function hearCall(
  memory: SessionMemory,
  call: MessageCall,
  seen: Map<string, number>,
  tell: Context['tell'],
): string | undefined {
  const known = calledBefore(memory, call, seen);
  if (call.id !== undefined && isCalled(memory, call.id)) return call.id;
  // What happened before the first answer that was recorded is not part of what was.
  if (known !== undefined || call.id === undefined || memory.replies === 0) return known;
  called(memory, call.id, call.tool, call.input);
  tell({ kind: 'call', callId: call.id, tool: call.tool, input: call.input });
  return call.id;
}

function calledBefore(
  memory: SessionMemory,
  { tool, input }: MessageCall,
  seen: Map<string, number>,
): string | undefined {
  const key = callKey(tool, input);
  const times = (seen.get(key) ?? 0) + 1;
  seen.set(key, times);
  return nthCall(memory, key, times);
}

/** The person's words that a run was given; those of an agent to another are no turn. */
function hearRequest(context: Context): void {
  const { span, memory, lineage, tell } = context;
  if (recall(lineage.spans, span.spanId)?.asked === undefined) return;
  const { texts, isHistory } = requestOf(span);
  const origin = originOf(context);
  const heard = isHistory ? newTexts(memory, texts) : texts;
  if (!isHistory) for (const text of texts) saidNow(memory, text);
  for (const text of heard) tell({ kind: 'user', origin, text });
}

/** What an agent tells its sub-agent is no turn of a person. */
function originOf({ lineage, span, session }: Context): 'user' | 'runtime' | 'subagent' {
  const own = callerOf(lineage, span.parentId, undefined);
  const caller =
    roleOf(span) === 'agent'
      ? callerOf(lineage, span.parentId, agentOf(span))
      : callerOf(lineage, own?.parent, own?.agent);
  // Who only sets agents going, and was given nothing, passes on what a person said.
  if (caller === undefined || (caller.silent !== undefined && caller.asked === undefined)) return 'user';
  return otherSession(lineage, caller.id, session) === undefined ? 'runtime' : 'subagent';
}

function replied(context: Context): Orphan[] {
  const { span, memory, lineage, tell } = context;
  const outer = outerMessage(lineage, span);
  const messageId = outer ?? messageIdOf(span);
  const messages = outer === undefined ? outputMessages(span) : [];
  const text = messages
    .map((message) => message.text)
    .filter((one) => one !== '')
    .join('\n');
  const calls = messages.flatMap((message) => message.calls);
  const stop = stopOf(span, messages[0]?.finish, calls.length > 0);
  const isNew = !isToldAbove(lineage, span);
  const shared = {
    usage: isNew ? spanUsage(span) : undefined,
    costUsd: isNew ? spanCost(span) : undefined,
    model: modelOf(span),
    provider: providerOf(span),
  };
  memory.broken = hasFailed(span);
  if (memory.broken && text === '' && calls.length === 0 && shared.usage === undefined) {
    // A request that failed is no message of the model; it is the end, unless another one follows.
    if (outer === undefined) tell({ kind: 'end', reason: endOf(span) });
    return [];
  }
  memory.replies += 1;
  // Most instrumentation leaves the content out unless it is told to record it.
  const isMissing = outer === undefined && text === '' && !messages.some((message) => message.recorded);
  const textMissing = isMissing ? (true as const) : undefined;
  tell({ kind: 'reply', messageId, text, ...defined({ ...shared, stop, textMissing }) });
  for (const [index, { id, tool, input }] of calls.entries()) {
    const callId = id ?? callIdOf(span, index);
    if (isCalled(memory, callId)) continue;
    called(memory, callId, tool, input);
    tell({ kind: 'call', callId, tool, input });
  }
  return [];
}

function toolCalled(context: Context): Orphan[] {
  const { span, memory, lineage, tell } = context;
  const { tool, input } = toolFacts(span);
  if (isInnerCall(lineage, span, tool)) return [];
  announce(context);
  const callId = callOf(context);
  if (isCalled(memory, callId)) return [];
  called(memory, callId, tool, input);
  tell({ kind: 'call', callId, tool, input });
  return [];
}

function callOf({ span, calls, memory }: Context): string {
  const { tool, callId, input } = toolFacts(span);
  if (isCalled(memory, span.spanId)) return span.spanId;
  return calls.get(span.spanId)?.callId ?? callId ?? oldestWaiting(memory, tool, input) ?? span.spanId;
}

function toolAnswered(context: Context): Orphan[] {
  const { span, memory, lineage, tell } = context;
  const { tool, text, ok } = toolFacts(span);
  if (isInnerCall(lineage, span, tool)) return [];
  const callId = callOf(context);
  if (!isWaiting(memory, callId)) return [];
  answered(memory, callId);
  tell({ kind: 'result', callId, ...defined({ ok, text: text === undefined ? undefined : cutText(text) }) });
  return [];
}

/** Work that is neither a message nor a call: the outermost of it is the run. */
function workBegan(context: Context): Orphan[] {
  if (recall(context.lineage.spans, context.span.spanId)?.asked === undefined) return [];
  announce(context);
  hearRequest(context);
  return [];
}

function workEnded({ span, steps, lineage, complete, tell }: Context): Orphan[] {
  const isOutermost = span.parentId === undefined || (complete && isOpenAbove(lineage, span.parentId));
  if (isOutermost && hasFailed(span) && !hasWorkAbove(lineage, span))
    tell({ kind: 'end', reason: endOf(span) });
  if (!steps.has(span.spanId)) return [];
  const tool = stepName(span);
  // Each is a call of its own, and all of them work on the same.
  tell({ kind: 'call', callId: span.spanId, tool, input: { id: tool, step: span.spanId } });
  tell({ kind: 'result', callId: span.spanId, ok: !hasFailed(span), text: cutText(span.statusText) });
  return [];
}

function agentStarted(context: Context): Orphan[] {
  const { span, session, lineage, tell } = context;
  const name = agentOf(span);
  if (isLayer(lineage, span, name)) return [];
  const agent = name ?? serviceOf(span);
  const caller = callerOf(lineage, span.parentId, name);
  const parentSessionId = caller === undefined ? undefined : otherSession(lineage, caller.id, session);
  if (caller === undefined || parentSessionId !== undefined)
    announce(context, defined({ agent, parentSessionId }));
  if (caller !== undefined) tell(spawnOf(context, parentSessionId), parentSessionId);
  hearRequest(context);
  return [];
}

function agentEnded(context: Context): Orphan[] {
  const { span, session, memory, lineage, complete, at, tell } = context;
  const agent = agentOf(span);
  if (isLayer(lineage, span, agent)) return [];
  if (speaksForItself(context)) {
    replied(context);
    speak(lineage, span);
  }
  const caller = callerOf(lineage, span.parentId, agent);
  const reason = endOf(span);
  const end = {
    kind: 'end',
    reason: reason === 'normal' && memory.broken ? 'error' : reason,
    ...at,
  } as const;
  if (caller === undefined && span.parentId !== undefined && !complete && isOpenAbove(lineage, span.parentId))
    return [{ spanId: span.spanId, parentId: span.parentId, session, end, ...defined({ agent }) }];
  const parentSessionId = caller === undefined ? undefined : otherSession(lineage, caller.id, session);
  if (caller === undefined || parentSessionId !== undefined) tell({ kind: 'end', reason: end.reason });
  if (caller !== undefined)
    tell({ ...spawnOf(context, parentSessionId), ...endedWell(end.reason) }, parentSessionId);
  return [];
}

/** Who was stopped has not failed. */
function endedWell(reason: EndReason): { ok?: boolean } {
  return reason === 'aborted' ? {} : { ok: reason === 'normal' };
}

/** What an agent used is what the models below it used: it counts only where none of them is recorded. */
function speaksForItself({ span, session, memory, lineage, complete }: Context): boolean {
  if (!tellsUsage(span) || isHeard(lineage, span.spanId, session)) return false;
  // Where spans still come, or some between are missing, a model heard in this session may be below this agent.
  return complete ? !isHeard(lineage, SOMEWHERE, session) : memory.replies === 0;
}

export function tellsUsage(span: OtlpSpan): boolean {
  return spanUsage(span) !== undefined || outputMessages(span).length > 0;
}

/** A sub-agent with a conversation of its own is a session of its own. */
function spawnOf(
  { span, session }: Context,
  parentSessionId: string | undefined,
): WithoutPlace<Event & SpawnEvent> {
  return {
    kind: 'spawn',
    spawnId: span.spanId,
    ...(parentSessionId === undefined ? {} : { sessionId: session }),
  };
}

/** Agents whose ancestors have come since: called by another agent they were sub-agents, else their end is the end. */
export function settleOrphans(orphans: readonly Orphan[], lineage: Lineage, emit: Emit): Orphan[] {
  const waiting = orphans.filter((orphan) => {
    const { spanId, parentId, agent, session, end } = orphan;
    const { reason, kind: _end, ...at } = end;
    if (callerOf(lineage, parentId, agent) !== undefined) {
      emit({ kind: 'spawn', spawnId: spanId, ...endedWell(reason), ...at }, session);
      return false;
    }
    if (isOpenAbove(lineage, parentId)) return true;
    emit(end, session);
    return false;
  });
  return waiting.slice(-MAX_ORPHANS);
}
