/** A stored session as it is told to others. */
import type { SessionEventWire } from '../../api/schema/session-event.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type { SessionSummary } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { ASKED_BELOW, scoredEventId } from './session-event.ts';

/** The same event that would have been told when it had ended, with the same id. */
export function keptEvent(row: SessionSummary): SessionEventWire {
  const why = row.q !== undefined && row.q < ASKED_BELOW ? (row.lowWhy ?? '') : '';
  return {
    format: 'assay-session-event',
    version: 1,
    event_id: scoredEventId(row),
    type: 'session.scored',
    at: row.scoredAt,
    session_key: row.sessionKey,
    session_id: row.sessionId,
    revision: row.revision,
    source: row.source,
    agent: row.agent ?? null,
    model: row.model ?? null,
    project: row.project ?? null,
    // Its own scorer wrote it.
    task_type: row.taskType as TaskType,
    q: row.q ?? null,
    tier: row.tier ?? null,
    coverage: row.coverage,
    cost_usd: row.costUsd ?? null,
    turns: row.turns ?? 0,
    tool_calls: row.toolCalls ?? 0,
    started_at: row.startedAt ?? null,
    ended_at: row.endedAt ?? null,
    why,
    outcome: row.outcome ?? null,
  };
}

/** What the store says of the session by now: a score that waited is not to take the place of a later one. */
export async function currentEvent(event: SessionEventWire, ports: Ports): Promise<SessionEventWire> {
  const row = await (await ports.store('looking')).readSession(event.session_key);
  return row === undefined || row.revision === event.revision ? event : keptEvent(row);
}
