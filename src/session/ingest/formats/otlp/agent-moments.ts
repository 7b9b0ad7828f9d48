/** An agent begins and is done: as a session, or as the sub-agent of another one. */
import type { EndReason, Event, SpawnEvent } from '../../../event.ts';
import { defined } from '../../json/json-fields.ts';
import type { Emit } from '../format.ts';
import { agentOf, endOf, serviceOf, spanUsage } from './facts.ts';
import {
  callerOf,
  isHeard,
  isLayer,
  isOpenAbove,
  type Lineage,
  otherSession,
  SOMEWHERE,
  speak,
} from './lineage.ts';
import { announce, hearRequest, replied } from './message-moments.ts';
import { outputMessages } from './messages.ts';
import type { MomentContext, Orphan, WithoutPlace } from './moment-context.ts';
import type { OtlpSpan } from './span.ts';
import { tellStep } from './steps.ts';

const MAX_ORPHANS = 500;

export function agentStarted(context: MomentContext): Orphan[] {
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

export function agentEnded(context: MomentContext): Orphan[] {
  const { span, session, memory, lineage, complete, at, tell } = context;
  const agent = agentOf(span);
  const caller = callerOf(lineage, span.parentId, agent);
  const parentSessionId = caller === undefined ? undefined : otherSession(lineage, caller.id, session);
  tellStep(context, parentSessionId);
  if (isLayer(lineage, span, agent)) return [];
  if (speaksForItself(context)) {
    replied(context);
    speak(lineage, span);
  }
  const reason = endOf(span);
  const end = {
    kind: 'end',
    reason: reason === 'normal' && memory.broken ? 'error' : reason,
    ...at,
  } as const;
  if (caller === undefined && span.parentId !== undefined && !complete && isOpenAbove(lineage, span.parentId))
    return [{ spanId: span.spanId, parentId: span.parentId, session, end, ...defined({ agent }) }];
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
function speaksForItself({ span, session, memory, lineage, complete }: MomentContext): boolean {
  if (!tellsUsage(span) || isHeard(lineage, span.spanId, session)) return false;
  // Where spans still come, or some between are missing, a model heard in this session may be below this agent.
  return complete ? !isHeard(lineage, SOMEWHERE, session) : memory.replies === 0;
}

export function tellsUsage(span: OtlpSpan): boolean {
  return spanUsage(span) !== undefined || outputMessages(span).length > 0;
}

/** A sub-agent with a conversation of its own is a session of its own. */
function spawnOf(
  { span, session }: MomentContext,
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
