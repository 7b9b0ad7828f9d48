/**
 * The two moments of a span, its start and its end, and what each tells: a message is asked for and answered, a tool
 * is called and comes back, an agent begins and is done.
 */
import { cutText, defined } from '../../json/json-fields.ts';
import { recall } from '../bounded-map.ts';
import { agentEnded, agentStarted } from './agent-moments.ts';
import { endOf, hasFailed, type Role, toolFacts } from './facts.ts';
import { hasWorkAbove, isInnerCall, isOpenAbove } from './lineage.ts';
import { announce, asked, hearRequest, replied } from './message-moments.ts';
import {
  contextOf,
  type Happening,
  type MomentContext,
  type Orphan,
  type Surroundings,
} from './moment-context.ts';
import { answered, called, isCalled, isWaiting, oldestWaiting } from './session.ts';
import type { OtlpSpan } from './span.ts';
import { tellStep } from './steps.ts';

export type SpanMoment = {
  readonly session: string;
  readonly time: number;
  readonly rank: number;
  readonly nesting: number;
  /** Returns agents whose caller cannot be told yet. */
  readonly happen: (surroundings: Surroundings) => Orphan[];
};

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

const MOMENTS: Readonly<Record<Role, readonly [Happening, Happening]>> = {
  chat: [asked, replied],
  tool: [toolCalled, toolAnswered],
  agent: [agentStarted, agentEnded],
  other: [workBegan, workEnded],
};

function toolCalled(context: MomentContext): Orphan[] {
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

function callOf({ span, calls, memory }: MomentContext): string {
  const { tool, callId, input } = toolFacts(span);
  if (isCalled(memory, span.spanId)) return span.spanId;
  return calls.get(span.spanId)?.callId ?? callId ?? oldestWaiting(memory, tool, input) ?? span.spanId;
}

function toolAnswered(context: MomentContext): Orphan[] {
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
function workBegan(context: MomentContext): Orphan[] {
  if (recall(context.lineage.spans, context.span.spanId)?.asked === undefined) return [];
  announce(context);
  hearRequest(context);
  return [];
}

function workEnded(context: MomentContext): Orphan[] {
  const { span, lineage, complete, tell } = context;
  const isOutermost = span.parentId === undefined || (complete && isOpenAbove(lineage, span.parentId));
  if (isOutermost && hasFailed(span) && !hasWorkAbove(lineage, span))
    tell({ kind: 'end', reason: endOf(span) });
  tellStep(context);
  return [];
}
