/**
 * Who is whose child. Spans of one trace may come in one line or in many, children before their parents; what is known
 * of a span is kept a while, so that an agent below another agent is seen as its sub-agent whenever both are there.
 */

import { type BoundedMap, newBoundedMap, recall, remember } from '../bounded-map.ts';
import { conversationOf } from './conversation-id.ts';
import type { Role } from './facts.ts';
import type { OtlpSpan } from './span.ts';

type Known = {
  readonly parent?: string;
  readonly role?: Role;
  readonly agent?: string;
  readonly conversation?: string;
  readonly tool?: string;
  readonly message?: string;
  /** What it was given to do: hashes of the person's words. */
  readonly asked?: readonly string[];
  /** An agent without a model or tool of its own; with one agent below it, it only wraps that. */
  readonly silent?: 'alone' | 'several';
};

export type Lineage = {
  readonly spans: BoundedMap<Known>;
  /** Trace → the conversation that any of its spans named first. */
  readonly traces: BoundedMap<string>;
  /** Spans, in their sessions, below which a model told what it said and used. */
  readonly heard: BoundedMap<true>;
  /** Agents that told it themselves, before any model below them did. */
  readonly spoke: BoundedMap<true>;
  /** How many spans are kept. */
  kept: number;
};

const KEPT_SPANS = 4000;
const KEPT_TRACES = 2000;
const MAX_HOPS = 100;

export function newLineage(): Lineage {
  return {
    spans: newBoundedMap(),
    traces: newBoundedMap(),
    heard: newBoundedMap(),
    spoke: newBoundedMap(),
    kept: KEPT_SPANS,
  };
}

/** All spans of a document or line are known at once, however many they are. */
export function makeRoom(lineage: Lineage, spans: number): void {
  lineage.kept = Math.max(KEPT_SPANS, spans);
}

export function learn(lineage: Lineage, span: OtlpSpan, known: Omit<Known, 'parent' | 'conversation'>): void {
  const conversation = conversationOf(span);
  const parent = span.parentId === undefined ? {} : { parent: span.parentId };
  const named = conversation === undefined ? {} : { conversation };
  remember(lineage.spans, span.spanId, { ...parent, ...known, ...named }, lineage.kept);
  if (conversation !== undefined && conversationOfTrace(lineage, span.traceId) === undefined)
    nameTrace(lineage, span.traceId, conversation);
}

export function conversationOfTrace(lineage: Lineage, traceId: string): string | undefined {
  return recall(lineage.traces, traceId);
}

export function nameTrace(lineage: Lineage, traceId: string, conversation: string): void {
  remember(lineage.traces, traceId, conversation, KEPT_TRACES);
}

/** Adds to what is known of a span that was learnt. */
export function note(lineage: Lineage, spanId: string, more: Pick<Known, 'asked' | 'silent'>): void {
  const known = recall(lineage.spans, spanId);
  if (known !== undefined) remember(lineage.spans, spanId, { ...known, ...more }, lineage.kept);
}

/** The nearest span above, or the one itself, of an agent. */
export function agentAbove(lineage: Lineage, spanId: string | undefined): string | undefined {
  for (const { id, role } of ancestors(lineage, spanId)) if (role === 'agent') return id;
  return undefined;
}

/** What the run that a span is part of was given to do. Undefined: nothing that is known. */
export function askedAbove(lineage: Lineage, parentId: string | undefined): readonly string[] | undefined {
  for (const { asked, role, parent, agent } of ancestors(lineage, parentId)) {
    if (asked !== undefined) return asked;
    // What another agent was given is not what this one was given.
    if (role === 'agent' && callerOf(lineage, parent, agent) !== undefined) return undefined;
  }
  return undefined;
}

/** Part of somebody's work: an agent, a chain or a tool is above. */
export function hasWorkAbove(lineage: Lineage, span: OtlpSpan): boolean {
  for (const { role } of ancestors(lineage, span.parentId)) if (role !== undefined) return true;
  return false;
}

/** What is said here or below is heard in all spans above. Of those that have not come yet the lowest is marked. */
export function hearAbove(lineage: Lineage, span: OtlpSpan, session: string): void {
  if (isOpenAbove(lineage, span.parentId))
    remember(lineage.heard, `${SOMEWHERE} ${session}`, true, lineage.kept);
  let id = span.parentId;
  for (let hop = 0; id !== undefined && hop < MAX_HOPS; hop += 1) {
    if (isHeard(lineage, id, session)) return;
    remember(lineage.heard, `${id} ${session}`, true, lineage.kept);
    id = recall(lineage.spans, id)?.parent;
  }
}

/** For models of which it is not known where they belong. */
export const SOMEWHERE = '';

export function isHeard(lineage: Lineage, spanId: string, session: string): boolean {
  return recall(lineage.heard, `${spanId} ${session}`) !== undefined;
}

export function speak(lineage: Lineage, span: OtlpSpan): void {
  remember(lineage.spoke, span.spanId, true, lineage.kept);
}

/** An agent above has told already what all models below it used. */
export function isToldAbove(lineage: Lineage, span: OtlpSpan): boolean {
  for (const { id } of ancestors(lineage, span.parentId))
    if (recall(lineage.spoke, id) !== undefined) return true;
  return false;
}

/** Its own conversation, its ancestors', its trace's; without any, the trace is the session. */
export function sessionOf(lineage: Lineage, span: OtlpSpan): string {
  const own = conversationOf(span);
  if (own !== undefined) return own;
  for (const ancestor of ancestors(lineage, span.parentId))
    if (ancestor.conversation !== undefined) return ancestor.conversation;
  return recall(lineage.traces, span.traceId) ?? span.traceId;
}

function* ancestors(lineage: Lineage, parentId: string | undefined): Iterable<Known & { id: string }> {
  let id = parentId;
  for (let hop = 0; id !== undefined && hop < MAX_HOPS; hop += 1) {
    const known: Known | undefined = recall(lineage.spans, id);
    if (known === undefined) return;
    yield { ...known, id };
    id = known.parent;
  }
}

/** The nearest agent above that is somebody else: an agent's own layers share its name. */
export function callerOf(
  lineage: Lineage,
  parentId: string | undefined,
  agent: string | undefined,
): (Known & { id: string }) | undefined {
  for (const ancestor of ancestors(lineage, parentId))
    if (
      ancestor.role === 'agent' &&
      ancestor.silent !== 'alone' &&
      (agent === undefined || ancestor.agent !== agent)
    )
      return ancestor;
  return undefined;
}

/** An agent above with the same name: this span is only a layer of it. */
export function isLayer(lineage: Lineage, span: OtlpSpan, agent: string | undefined): boolean {
  for (const ancestor of ancestors(lineage, span.parentId))
    if (ancestor.role === 'agent') return agent !== undefined && ancestor.agent === agent;
  return false;
}

/** The conversation that a span belongs to, if it is known and another one. */
export function otherSession(lineage: Lineage, spanId: string, session: string): string | undefined {
  for (const { conversation } of ancestors(lineage, spanId))
    if (conversation !== undefined) return conversation === session ? undefined : conversation;
  return undefined;
}

/** The outermost message span above: libraries wrap each other, and each layer reports the same answer. */
export function outerMessage(lineage: Lineage, span: OtlpSpan): string | undefined {
  let outer: string | undefined;
  for (const ancestor of ancestors(lineage, span.parentId)) {
    if (ancestor.role === 'agent' || ancestor.role === 'tool') break;
    if (ancestor.role === 'chat') outer = ancestor.message ?? ancestor.id;
  }
  return outer;
}

/** The same tool above: the span is the transport of a call, not a call. */
export function isInnerCall(lineage: Lineage, span: OtlpSpan, tool: string): boolean {
  for (const ancestor of ancestors(lineage, span.parentId)) {
    if (ancestor.role === 'agent' || ancestor.role === 'chat') return false;
    if (ancestor.role === 'tool' && ancestor.tool === tool) return true;
  }
  return false;
}

/** A tool is what called the agent: its call tells how that went. */
export function isCalledByTool(lineage: Lineage, span: OtlpSpan): boolean {
  for (const { role } of ancestors(lineage, span.parentId)) {
    if (role === 'agent') return false;
    if (role === 'tool') return true;
  }
  return false;
}

/** True when the way up ends at a span that is not known (yet). */
export function isOpenAbove(lineage: Lineage, parentId: string | undefined): boolean {
  if (parentId === undefined) return false;
  let top: string | undefined = parentId;
  for (const ancestor of ancestors(lineage, parentId)) top = ancestor.parent;
  return top !== undefined;
}
