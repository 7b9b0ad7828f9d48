/**
 * Spans as a tree: parents, sessions, which span has the user's request, which call a tool's span answers, and which
 * steps failed by themselves.
 */
import { hashKey } from '../../duplicates/entry-keys.ts';
import { shown } from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import {
  agentOf,
  conversationOf,
  endOf,
  hasFailed,
  isGiven,
  isStep,
  messageIdOf,
  type Role,
  roleOf,
  spanUsage,
  type ToolFacts,
  toolFacts,
} from './facts.ts';
import { inputMessages, isSaid, type Message, outputMessages, requestOf } from './messages.ts';
import type { OtlpSpan } from './span.ts';

const MAX_HOPS = 100;

export class Node {
  readonly span: OtlpSpan;
  readonly role: Role | undefined;
  /** The name of the agent that did this. */
  readonly agent: string | undefined;
  readonly conversation: string | undefined;
  readonly tool: ToolFacts | undefined;
  readonly failed: boolean;
  parent: Node | undefined;
  session = '';
  /** Its request: hashes of the user's text. */
  asked: readonly string[] | undefined;
  /** An agent without a model or tool of its own; with one agent below it, it only wraps that. */
  silent: 'alone' | 'several' | undefined;
  /** Sessions of models below it. */
  readonly heard = new Set<string>();
  /** An agent that reported the usage of the models below it. */
  spoke = false;
  /** The call of a model that it answers. */
  call: RequestedCall | undefined;
  /** Counts as a call though it is none of a tool. */
  isStepCall = false;
  #output: readonly Message[] | undefined;

  constructor(span: OtlpSpan) {
    this.span = span;
    this.role = roleOf(span);
    this.agent = this.role === 'agent' ? agentOf(span) : undefined;
    this.conversation = conversationOf(span);
    this.tool = this.role === 'tool' ? toolFacts(span) : undefined;
    this.failed = hasFailed(span);
  }

  get output(): readonly Message[] {
    this.#output ??= outputMessages(this.span);
    return this.#output;
  }

  get time(): number {
    return this.span.start ?? this.span.end ?? 0;
  }

  get end(): number {
    return this.span.end ?? this.span.start ?? 0;
  }

  *above(): Generator<Node> {
    let node = this.parent;
    for (let hop = 0; node !== undefined && hop < MAX_HOPS; hop += 1) {
      yield node;
      node = node.parent;
    }
  }

  /** The nearest above of these roles. */
  nearest(...roles: readonly (Role | undefined)[]): Node | undefined {
    for (const node of this.above()) if (roles.includes(node.role)) return node;
    return undefined;
  }

  /** The nearest different agent above: layers of one agent share its name. */
  get caller(): Node | undefined {
    return this.callerBut(this.agent);
  }

  callerBut(agent: string | undefined): Node | undefined {
    for (const node of this.above())
      if (node.role === 'agent' && node.silent !== 'alone' && (agent === undefined || node.agent !== agent))
        return node;
    return undefined;
  }

  /** An agent above with the same name: this one is only a layer of it. */
  get isLayer(): boolean {
    return this.agent !== undefined && this.nearest('agent')?.agent === this.agent;
  }

  /** The way up ends at a span that is not there. */
  get isOpenAbove(): boolean {
    let top: Node = this;
    for (const node of this.above()) top = node;
    return top.span.parentId !== undefined;
  }

  /** The request of the run that it is part of. Undefined: unknown. */
  get inputAbove(): readonly string[] | undefined {
    for (const node of this.above()) {
      if (node.asked !== undefined) return node.asked;
      // Another agent's request is not this one's.
      if (node.role === 'agent' && node.caller !== undefined) return undefined;
    }
    return undefined;
  }

  /** Its conversation, if that is known and not this session. */
  sessionOtherThan(session: string): string | undefined {
    for (const { conversation } of [this, ...this.above()])
      if (conversation !== undefined) return conversation === session ? undefined : conversation;
    return undefined;
  }

  /** The outermost message above: libraries wrap each other, and each layer reports the same answer. */
  get outerMessage(): string | undefined {
    let outer: string | undefined;
    for (const { role, span } of this.above()) {
      if (role === 'agent' || role === 'tool') break;
      if (role === 'chat') outer = messageIdOf(span);
    }
    return outer;
  }

  /** The same tool above: the span is the transport of a call, not a call. */
  get isInnerCall(): boolean {
    for (const { role, tool } of this.above()) {
      if (role === 'agent' || role === 'chat') return false;
      if (role === 'tool' && tool?.tool === this.tool?.tool) return true;
    }
    return false;
  }

  get tellsUsage(): boolean {
    return spanUsage(this.span) !== undefined || this.output.length > 0;
  }
}

/** What is known of traces between batches of spans. */
export type TraceNames = {
  /** Trace → the conversation that any of its spans named first. */
  readonly traces: Map<string, string>;
  /** First request and answer → the session. */
  readonly continued: Map<string, string>;
};

export type Tree = {
  readonly nodes: readonly Node[];
  /** Sessions of models whose agent is unknown. */
  readonly heardSomewhere: ReadonlySet<string>;
  /** Spans that belong to it may have been emitted before. */
  readonly isCut: boolean;
};

const MAX_TRACES = 2_000;

export function treeOf(found: readonly OtlpSpan[], names: TraceNames, isCut: boolean): Tree {
  const nodes = withoutRepeats(found).map((span) => new Node(span));
  const byId = new Map(nodes.map((node) => [node.span.spanId, node]));
  for (const node of nodes) {
    const { parentId, traceId } = node.span;
    node.parent = parentId === undefined ? undefined : byId.get(parentId);
    if (node.conversation !== undefined && names.traces.get(traceId) === undefined)
      remember(names.traces, traceId, node.conversation, MAX_TRACES);
  }
  noteSilent(nodes);
  noteAsked(nodes);
  followTraces(nodes, names);
  for (const node of nodes) node.session = sessionOf(node, names);
  noteCalls(nodes);
  noteSteps(nodes);
  return { nodes, heardSomewhere: noteHeard(nodes), isCut };
}

/** Its own conversation, its ancestors', its trace's; without any, the trace is the session. */
function sessionOf(node: Node, { traces }: TraceNames): string {
  for (const { conversation } of [node, ...node.above()]) if (conversation !== undefined) return conversation;
  return traces.get(node.span.traceId) ?? node.span.traceId;
}

/** An agent that neither asks a model nor calls a tool sets others going; where that is one, both are the same agent. */
function noteSilent(nodes: readonly Node[]): void {
  const works = new Set<Node>();
  const below = new Map<Node, Node[]>();
  for (const node of nodes) {
    const above = node.role === undefined || node.role === 'other' ? undefined : node.nearest('agent');
    if (above === undefined) continue;
    if (node.role !== 'agent') works.add(above);
    else below.set(above, [...(below.get(above) ?? []), node]);
  }
  for (const [node, agents] of below) {
    if (works.has(node)) continue;
    const names = new Set(
      agents.map(({ agent, span, conversation }) => `${agent ?? span.spanId} ${conversation}`),
    );
    const isSame = agents.every(
      ({ conversation }) => conversation === undefined || conversation === node.conversation,
    );
    node.silent = names.size === 1 && isSame ? 'alone' : 'several';
  }
}

/** The outermost span with a request got it from the user; an agent from its caller. */
function noteAsked(nodes: readonly Node[]): void {
  const given = nodes.filter(({ span, role }) => isGiven(span, role));
  given.sort((a, b) => (a.span.start ?? 0) - (b.span.start ?? 0) || (b.span.end ?? 0) - (a.span.end ?? 0));
  for (const node of given) {
    const isCalled = node.role === 'agent' && node.caller !== undefined;
    if (!isCalled && node.inputAbove !== undefined) continue;
    const { texts } = requestOf(node.span);
    if (texts.length > 0) node.asked = texts.map(textKey);
  }
}

export function textKey(text: string): string {
  return String(hashKey(text));
}

const MAX_ANSWERS = 5_000;
/** Shorter answers ("OK") occur in many conversations. */
const TELLING_CHARS = 12;

/**
 * Conversations that continue in another trace without an id of their own: the first request of the new trace repeats
 * the messages and calls that identify the earlier trace.
 */
function followTraces(nodes: readonly Node[], { traces, continued }: TraceNames): void {
  const chats = nodes.filter(({ role, span }) => role === 'chat' && traces.get(span.traceId) === undefined);
  chats.sort((a, b) => a.time - b.time);
  for (const [traceId, own] of Map.groupBy(chats, ({ span }) => span.traceId)) {
    const history = own[0] === undefined ? [] : inputMessages(own[0].span);
    const began = history.find(isSaid)?.text;
    if (began === undefined) continue;
    const earlier = keysOf(
      began,
      history.filter(({ role }) => role === 'assistant'),
    );
    const session = earlier.map((key) => continued.get(key)).findLast((one) => one !== undefined);
    if (session !== undefined) remember(traces, traceId, session, MAX_TRACES);
    for (const { output } of own)
      for (const key of keysOf(began, output)) remember(continued, key, session ?? traceId, MAX_ANSWERS);
  }
}

function keysOf(began: string, answers: readonly Message[]): string[] {
  return answers.flatMap(({ text, calls }) => [
    ...(text.length >= TELLING_CHARS ? [textKey(`${began}\n${text}`)] : []),
    ...calls.flatMap(({ id }) => (id === undefined ? [] : [textKey(`${began}\n${id}`)])),
  ]);
}

/** Marks the agents above a span that reports a model's usage. */
function noteHeard(nodes: readonly Node[]): ReadonlySet<string> {
  const somewhere = new Set<string>();
  for (const node of nodes) {
    const tells = node.role === 'chat' || (node.role === 'agent' && node.tellsUsage && !node.isLayer);
    if (!tells) continue;
    if (node.isOpenAbove) somewhere.add(node.session);
    for (const above of node.above()) above.heard.add(node.session);
  }
  return somewhere;
}

export type RequestedCall = {
  readonly callId: string;
  /** When the model called it: it cannot have begun before. */
  readonly at: number;
};
type OpenCall = RequestedCall & { readonly tool: string; readonly input: string; readonly from: number };
type IsMatch = (call: OpenCall, tool: ToolFacts, end: number) => boolean;

const isOfTool: IsMatch = (call, { tool, callId }, end) =>
  callId === undefined && tool === call.tool && end >= call.from;
const MATCHES: readonly IsMatch[] = [
  (call, { callId }) => callId === call.callId,
  (call, tool, end) => (shown(tool.input) ?? '') === call.input && isOfTool(call, tool, end),
  isOfTool,
];

/**
 * Finds the calls that spans of tools answer. Most have the call's id; otherwise tool, input and order decide, so that
 * no call counts twice.
 */
function noteCalls(nodes: readonly Node[]): void {
  const open = new Map<string, OpenCall[]>();
  for (const chat of nodes.filter(({ role }) => role === 'chat').sort((a, b) => a.end - b.end)) {
    const calls = open.get(chat.session) ?? [];
    open.set(chat.session, calls);
    for (const [index, { id, tool, input }] of chat.output.flatMap((message) => message.calls).entries())
      calls.push({
        callId: id ?? callIdOf(chat, index),
        tool,
        input: shown(input) ?? '',
        at: chat.end,
        from: chat.span.start ?? 0,
      });
  }
  const tools = nodes.filter(({ role }) => role === 'tool').sort((a, b) => a.time - b.time);
  for (const isMatch of MATCHES) {
    for (const node of tools) {
      const { tool, span } = node;
      if (node.call !== undefined || tool === undefined) continue;
      const calls = open.get(node.session) ?? [];
      const end = span.end ?? span.start ?? Number.POSITIVE_INFINITY;
      const index = calls.findIndex((call) => isMatch(call, tool, end));
      if (index >= 0) [node.call] = calls.splice(index, 1);
    }
  }
}

/** A call without an id in its message. */
export function callIdOf({ span }: Node, index: number): string {
  return `${span.spanId}.${index + 1}`;
}

/**
 * Marks spans that count as a call: steps that failed by themselves, and siblings that did the same and succeeded. A
 * step around a tool's call is counted by that call. The outermost span is the run itself.
 */
function noteSteps(nodes: readonly Node[]): void {
  const agentsBelow = Map.groupBy(
    nodes.filter(({ role, parent }) => role === 'agent' && parent !== undefined),
    ({ parent }) => parent,
  );
  const isInner = (node: Node): boolean => {
    if (node.parent === undefined) return false;
    if (node.role !== 'agent') return isStep(node.span, node.role);
    // An agent is a step of the one that called it, or one of several in a row; alone it is the run.
    const isCalledByTool = node.nearest('agent', 'tool')?.role === 'tool';
    // Who was stopped has not failed.
    if (endOf(node.span) === 'aborted' || isCalledByTool) return false;
    const isOneOfSeveral =
      (node.parent.role === 'agent' || node.parent.role === 'other') &&
      (agentsBelow.get(node.parent)?.length ?? 0) > 1;
    return isOneOfSeveral || node.caller !== undefined;
  };
  const inner = nodes.filter(isInner);
  const holdsFailure = new Set(nodes.filter(({ failed }) => failed).flatMap((node) => [...node.above()]));
  const failed = inner.filter((node) => node.failed && !holdsFailure.has(node));
  if (failed.length === 0) return;
  const kinds = new Set(failed.map(kindOf));
  const holdsCall = new Set(nodes.filter(({ role }) => role === 'tool').flatMap((node) => [...node.above()]));
  const isBusy = (node: Node): boolean => node.failed || holdsFailure.has(node) || holdsCall.has(node);
  for (const node of [...failed, ...inner.filter((one) => kinds.has(kindOf(one)) && !isBusy(one))])
    node.isStepCall = true;
}

/** `Step 3` and `Step 4` below the same span are steps of one kind. */
function kindOf({ span }: Node): string {
  return `${span.traceId} ${span.parentId} ${stepName(span)}`;
}

export function stepName({ name }: OtlpSpan): string {
  return name.replace(/(?<![\s#._-])[\s#._-]*(?<!\d)\d+$/, '').slice(0, 120) || 'step';
}

/** Starts are often cut to whole milliseconds, ends are not. */
const CUT = 1;

/**
 * A failure travels: an exception passes through the spans above, and some exporters mark every span that ends after a failed
 * tool. Only where it happened is it a failure.
 */
function withoutRepeats(spans: readonly OtlpSpan[]): readonly OtlpSpan[] {
  const failing = spans.filter(hasFailed);
  const origins = new Map<string, OtlpSpan>();
  for (const span of failing) {
    const known = origins.get(failureOf(span));
    if (span.statusText === '' || !hasException(span)) continue;
    if (known === undefined || endTime(span) < endTime(known)) origins.set(failureOf(span), span);
  }
  const chats = spans.filter((span) => roleOf(span) === 'chat');
  const repeats = new Set(
    failing.filter((span) => {
      const origin = origins.get(failureOf(span));
      return origin !== undefined && !hasException(span) && isLater(span, origin, chats);
    }),
  );
  return repeats.size === 0 ? spans : spans.map((span) => (repeats.has(span) ? unfailed(span) : span));
}

function failureOf({ traceId, statusText }: OtlpSpan): string {
  return `${traceId} ${statusText}`;
}

function hasException({ events }: OtlpSpan): boolean {
  return events.some(({ name }) => name === 'exception');
}

function endTime({ start, end }: OtlpSpan): number {
  return end ?? start ?? 0;
}

/** It began after the failure was over, or went on after it: a model was asked again before it ended. */
function isLater(span: OtlpSpan, origin: OtlpSpan, chats: readonly OtlpSpan[]): boolean {
  const over = Math.floor(endTime(origin));
  if ((span.start ?? 0) >= over) return true;
  return chats.some(
    (chat) =>
      chat.traceId === span.traceId && (chat.start ?? 0) >= over && endTime(chat) <= endTime(span) + CUT,
  );
}

function unfailed(span: OtlpSpan): OtlpSpan {
  const attributes = new Map(span.attributes);
  attributes.delete('error.type');
  return { ...span, status: 'unset', statusText: '', attributes };
}
