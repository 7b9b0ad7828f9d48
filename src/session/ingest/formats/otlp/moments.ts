/**
 * The two moments of a span, its start and its end, and what each tells: a message is asked for and answered, a tool
 * is called and comes back, an agent begins and is done.
 */
import type { Event, SpawnEvent } from '../../../event.ts';
import { cutText, defined } from '../../json/json-fields.ts';
import type { Emit } from '../format.ts';
import {
  agentOf,
  endOf,
  hasFailed,
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
  callerOf,
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
import { inputMessages, type Message, outputMessages } from './messages.ts';
import {
  answered,
  called,
  isCalled,
  isWaiting,
  newTexts,
  oldestWaiting,
  type SessionMemory,
} from './session.ts';
import type { OtlpSpan } from './span.ts';

/** What is known when a moment comes. */
type Surroundings = {
  readonly memory: SessionMemory;
  readonly lineage: Lineage;
  /** All spans there are have been learnt: a parent nobody knows will not come. */
  readonly complete: boolean;
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
const OUTERMOST_FIRST = ['agent', 'tool', 'chat'];

export function momentsOf(span: OtlpSpan, role: Exclude<Role, 'other'>, session: string): SpanMoment[] {
  const start = span.start ?? span.end ?? 0;
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

const MOMENTS: Readonly<Record<Exclude<Role, 'other'>, readonly [Happening, Happening]>> = {
  chat: [asked, replied],
  tool: [toolCalled, toolAnswered],
  agent: [agentStarted, agentEnded],
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
  tell({ kind: 'session', sessionId: session, ...more, ...defined({ agent }) });
}

function asked(context: Context): Orphan[] {
  if (outerMessage(context.lineage, context.span) !== undefined) return [];
  announce(context);
  hear(context, inputMessages(context.span));
  return [];
}

/** Each request repeats the whole conversation: only what is new in it happened now. */
function hear({ span, memory, lineage, tell, session }: Context, messages: readonly Message[]): void {
  for (const { id, text } of messages.flatMap((message) => message.results)) {
    if (!isWaiting(memory, id)) continue;
    answered(memory, id);
    tell({ kind: 'result', callId: id, text: cutText(text) });
  }
  const said = messages.filter(
    ({ role, text }) => (role === 'user' || role === 'human') && text.trim() !== '',
  );
  const origin = originOf(lineage, span, session);
  for (const text of newTexts(
    memory,
    said.map((message) => message.text),
  ))
    tell({ kind: 'user', origin, text });
}

/** What an agent tells its sub-agent is no turn of a person. */
function originOf(lineage: Lineage, span: OtlpSpan, session: string): 'user' | 'runtime' | 'subagent' {
  const own = callerOf(lineage, span.parentId, undefined);
  const caller = roleOf(span) === 'agent' ? own : callerOf(lineage, own?.parent, own?.agent);
  if (caller === undefined) return 'user';
  return otherSession(lineage, caller.id, session) === undefined ? 'runtime' : 'subagent';
}

function replied(context: Context): Orphan[] {
  const { span, memory, lineage, tell } = context;
  const outer = outerMessage(lineage, span);
  const messageId = outer ?? textAttribute(span, 'gen_ai.response.id') ?? span.spanId;
  const messages = outer === undefined ? outputMessages(span) : [];
  const text = messages
    .map((message) => message.text)
    .filter((one) => one !== '')
    .join('\n');
  const stop = stopOf(span, messages[0]?.finish);
  const isNew = !isToldAbove(lineage, span);
  const shared = {
    usage: isNew ? spanUsage(span) : undefined,
    costUsd: isNew ? spanCost(span) : undefined,
    model: modelOf(span),
    provider: providerOf(span),
  };
  memory.replies += 1;
  // Most instrumentation leaves the content out unless it is told to record it.
  const textMissing = outer === undefined && messages.length === 0 ? (true as const) : undefined;
  tell({ kind: 'reply', messageId, text, ...defined({ ...shared, stop, textMissing }) });
  for (const [index, call] of messages.flatMap((message) => message.calls).entries()) {
    const callId = call.id ?? `${span.spanId}.${index + 1}`;
    if (isCalled(memory, callId)) continue;
    called(memory, callId, call.tool);
    tell({ kind: 'call', callId, tool: call.tool, input: call.input });
  }
  return [];
}

function textAttribute(span: OtlpSpan, name: string): string | undefined {
  const value = span.attributes.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toolCalled(context: Context): Orphan[] {
  const { span, memory, lineage, tell } = context;
  const { tool, callId: stated, input } = toolFacts(span);
  if (isInnerCall(lineage, span, tool)) return [];
  announce(context);
  const callId = stated ?? oldestWaiting(memory, tool) ?? span.spanId;
  if (isCalled(memory, callId)) return [];
  called(memory, callId, tool);
  tell({ kind: 'call', callId, tool, input });
  return [];
}

function toolAnswered({ span, memory, lineage, tell }: Context): Orphan[] {
  const { tool, callId: stated, text, ok } = toolFacts(span);
  if (isInnerCall(lineage, span, tool)) return [];
  const callId = stated ?? (isWaiting(memory, span.spanId) ? span.spanId : oldestWaiting(memory, tool));
  if (callId === undefined || !isWaiting(memory, callId)) return [];
  answered(memory, callId);
  tell({ kind: 'result', callId, ...defined({ ok, text: text === undefined ? undefined : cutText(text) }) });
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
  hear(context, inputMessages(span));
  return [];
}

function agentEnded(context: Context): Orphan[] {
  const { span, session, lineage, complete, at, tell } = context;
  const agent = agentOf(span);
  if (isLayer(lineage, span, agent)) return [];
  if (speaksForItself(context)) {
    replied(context);
    speak(lineage, span);
  }
  const caller = callerOf(lineage, span.parentId, agent);
  const end = { kind: 'end', reason: endOf(span), ...at } as const;
  if (caller === undefined && span.parentId !== undefined && !complete && isOpenAbove(lineage, span.parentId))
    return [{ spanId: span.spanId, parentId: span.parentId, session, end, ...defined({ agent }) }];
  const parentSessionId = caller === undefined ? undefined : otherSession(lineage, caller.id, session);
  if (caller === undefined || parentSessionId !== undefined) tell({ kind: 'end', reason: end.reason });
  if (caller !== undefined)
    tell({ ...spawnOf(context, parentSessionId), ok: !hasFailed(span) }, parentSessionId);
  return [];
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
      emit({ kind: 'spawn', spawnId: spanId, ok: reason === 'normal', ...at }, session);
      return false;
    }
    if (isOpenAbove(lineage, parentId)) return true;
    emit(end, session);
    return false;
  });
  return waiting.slice(-MAX_ORPHANS);
}
