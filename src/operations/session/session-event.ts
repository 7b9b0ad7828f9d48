/** What is told to others of a session that started, changed, or was scored when it had ended. */

import type { SessionLiveEvent } from '../../session/results.ts';
import { whyLow } from '../../session/why-low.ts';
import { contentHash } from '../../store/canonical.ts';
import type { SessionMoment } from './follow-sessions.ts';

/** Below this somebody may ask what took the score away. */
const ASKED_BELOW = 0.9;

export function sessionEvent({ kind, row, session }: SessionMoment): SessionLiveEvent {
  const type = TYPES[kind];
  const { sessionKey, revision, scoredAt } = row;
  return {
    // The same event has the same id, however often and by whomever it is told.
    eventId: contentHash([type, sessionKey, revision]).slice(0, 32),
    type,
    at: scoredAt,
    revision,
    sessionKey,
    session,
    ...(row.project === undefined ? {} : { project: row.project }),
    why: session.q !== undefined && session.q < ASKED_BELOW ? whyLow(session) : '',
  };
}

const TYPES = {
  started: 'session.started',
  updated: 'session.updated',
  ended: 'session.scored',
  rescored: 'session.scored',
} as const satisfies Record<SessionMoment['kind'], SessionLiveEvent['type']>;
