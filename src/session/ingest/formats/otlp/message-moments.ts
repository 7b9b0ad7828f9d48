/** A message is asked for and answered: what is new in a request, and what the model said. */
import { cutText, defined } from '../../json/json-fields.ts';
import { recall } from '../bounded-map.ts';
import {
  agentOf,
  endOf,
  hasFailed,
  messageIdOf,
  modelOf,
  providerOf,
  roleOf,
  serviceOf,
  spanCost,
  spanUsage,
  stopOf,
} from './facts.ts';
import { askedAbove, callerOf, isToldAbove, otherSession, outerMessage } from './lineage.ts';
import type { Message, MessageCall } from './message-parts.ts';
import { inputMessages, isSaid, outputMessages, requestOf } from './messages.ts';
import type { MomentContext, Orphan } from './moment-context.ts';
import {
  answered,
  called,
  callKey,
  isCalled,
  isWaiting,
  newTexts,
  nthCall,
  type SessionMemory,
  saidNow,
  textKey,
} from './session.ts';
import { callIdOf } from './tool-calls.ts';

/** Says whose session this is, when that is new. Which model said what is told with each reply. */
export function announce(
  { span, session, memory, tell }: MomentContext,
  more: { parentSessionId?: string; agent?: string } = {},
): void {
  const agent = more.agent ?? (memory.announced === '' ? serviceOf(span) : undefined);
  const said = JSON.stringify([agent, more.parentSessionId]);
  if (memory.announced === said || (memory.announced !== '' && agent === undefined)) return;
  memory.announced = said;
  const trigger = more.parentSessionId === undefined ? undefined : ('subagent' as const);
  tell({ kind: 'session', sessionId: session, ...more, ...defined({ agent, trigger }) });
}

export function asked(context: MomentContext): Orphan[] {
  if (outerMessage(context.lineage, context.span) !== undefined) return [];
  announce(context);
  hear(context, inputMessages(context.span));
  return [];
}

/** Each request repeats the whole conversation: only what is new in it happened now. */
function hear(context: MomentContext, messages: readonly Message[]): void {
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

function hearResults({ memory, tell }: MomentContext, messages: readonly Message[]): void {
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
  tell: MomentContext['tell'],
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
export function hearRequest(context: MomentContext): void {
  const { span, memory, lineage, tell } = context;
  if (recall(lineage.spans, span.spanId)?.asked === undefined) return;
  const { texts, isHistory } = requestOf(span);
  const origin = originOf(context);
  const heard = isHistory ? newTexts(memory, texts) : texts;
  if (!isHistory) for (const text of texts) saidNow(memory, text);
  for (const text of heard) tell({ kind: 'user', origin, text });
}

/** What an agent tells its sub-agent is no turn of a person. */
function originOf({ lineage, span, session }: MomentContext): 'user' | 'runtime' | 'subagent' {
  const own = callerOf(lineage, span.parentId, undefined);
  const caller =
    roleOf(span) === 'agent'
      ? callerOf(lineage, span.parentId, agentOf(span))
      : callerOf(lineage, own?.parent, own?.agent);
  // Who only sets agents going, and was given nothing, passes on what a person said.
  if (caller === undefined || (caller.silent !== undefined && caller.asked === undefined)) return 'user';
  return otherSession(lineage, caller.id, session) === undefined ? 'runtime' : 'subagent';
}

export function replied(context: MomentContext): Orphan[] {
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
  const usageOfSeveral = roleOf(span) === 'agent' ? (true as const) : undefined;
  tell({ kind: 'reply', messageId, text, ...defined({ ...shared, stop, textMissing, usageOfSeveral }) });
  for (const [index, { id, tool, input }] of calls.entries()) {
    const callId = id ?? callIdOf(span, index);
    if (isCalled(memory, callId)) continue;
    called(memory, callId, tool, input);
    tell({ kind: 'call', callId, tool, input });
  }
  return [];
}
