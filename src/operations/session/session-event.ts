/** What is told to others of a session that started, changed, or was scored when it had ended. */
import type { SessionLiveEvent } from '../../session/results.ts';
import { contentHash } from '../../store/canonical.ts';
import type { SessionSummary } from '../../store/store.ts';
import type { SessionMoment } from './follow-sessions.ts';

/** Below this somebody may ask what took the score away. */
const ASKED_BELOW = 0.9;

export function sessionEvent({ kind, row }: SessionMoment): SessionLiveEvent {
  return eventOf(TYPES[kind], row);
}

const TYPES = {
  started: 'session.started',
  updated: 'session.updated',
  ended: 'session.scored',
  rescored: 'session.scored',
} as const satisfies Record<SessionMoment['kind'], SessionLiveEvent['type']>;

export function eventOf(type: SessionLiveEvent['type'], given: SessionSummary): SessionLiveEvent {
  const { facts: _, ...row }: SessionSummary & { readonly facts?: unknown } = given;
  return {
    ...row,
    eventId: eventIdOf(type, row),
    type,
    at: row.scoredAt,
    turns: row.turns ?? 0,
    toolCalls: row.toolCalls ?? 0,
    why: row.q !== undefined && row.q < ASKED_BELOW ? (row.lowWhy ?? '') : '',
  };
}

type Revision = Pick<SessionMoment['row'], 'sessionKey' | 'revision'>;

/** The same event has the same id, however often and by whomever it is told. */
function eventIdOf(type: SessionLiveEvent['type'], { sessionKey, revision }: Revision): string {
  return contentHash([type, sessionKey, revision]).slice(0, 32);
}
