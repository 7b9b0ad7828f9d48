import type { z } from 'zod';
import { isoTime } from '../../session/iso-time.ts';
import type { SessionLiveEvent } from '../../session/results.ts';
import type { sessionEvent } from '../schema/session-event.ts';

export type SessionEventWire = z.infer<typeof sessionEvent>;

export function encodeSessionEvent(event: SessionLiveEvent): SessionEventWire {
  const { session } = event;
  return {
    format: 'assay-session-event',
    version: 1,
    event_id: event.eventId,
    type: event.type,
    at: event.at,
    session_key: event.sessionKey,
    session_id: session.sessionId,
    revision: event.revision,
    source: session.source,
    agent: session.agent ?? null,
    model: session.model ?? null,
    project: event.project ?? null,
    task_type: session.taskType,
    q: session.q ?? null,
    tier: session.tier ?? null,
    coverage: session.coverage,
    cost_usd: session.costUsd ?? null,
    turns: session.turns,
    tool_calls: session.toolCalls,
    started_at: isoTime(session.startedAt) ?? null,
    ended_at: isoTime(session.endedAt) ?? null,
    why: event.why,
    outcome: session.categories.outcome ?? null,
  };
}
