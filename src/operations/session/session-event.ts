/** What is told to others of a session that started, changed, or was scored when it had ended. */

import type { SessionLiveEvent } from '../../session/results.ts';
import type { ScoredSession } from '../../session/score-session.ts';
import { whyLow } from '../../session/why-low.ts';
import { contentHash } from '../../store/canonical.ts';
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
