/** What is told to others of a session that started, changed, or was scored when it had ended. */
import type { SessionEventWire } from '../../api/schema/session-event.ts';
import { whyLow } from '../../session/concerns.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type { SessionLiveEvent } from '../../session/results.ts';
import type { ScoredSession } from '../../session/score-session.ts';
import { contentHash } from '../../store/canonical.ts';
import type { SessionSummary } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import type { SessionMoment } from './follow-sessions.ts';

/** Below this somebody may ask what took the score away. */
export const ASKED_BELOW = 0.9;

export function sessionEvent({ kind, row, session }: SessionMoment): SessionLiveEvent {
  const type = TYPES[kind];
  const { sessionKey, revision, scoredAt } = row;
  return {
    eventId: eventIdOf(type, row),
    type,
    at: scoredAt,
    revision,
    sessionKey,
    session,
    ...(row.project === undefined ? {} : { project: row.project }),
    why: saidOf(session),
  };
}

type Revision = Pick<SessionMoment['row'], 'sessionKey' | 'revision'>;

/** The same event has the same id, however often and by whomever it is told. */
function eventIdOf(type: SessionLiveEvent['type'], { sessionKey, revision }: Revision): string {
  return contentHash([type, sessionKey, revision]).slice(0, 32);
}

export function scoredEventId(row: Revision): string {
  return eventIdOf('session.scored', row);
}

/** What took the score away; nothing where it is good. */
export function saidOf(session: ScoredSession): string {
  return session.q !== undefined && session.q < ASKED_BELOW ? whyLow(session) : '';
}

const TYPES = {
  started: 'session.started',
  updated: 'session.updated',
  ended: 'session.scored',
  rescored: 'session.scored',
} as const satisfies Record<SessionMoment['kind'], SessionLiveEvent['type']>;

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
