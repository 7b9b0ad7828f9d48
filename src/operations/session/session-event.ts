/** The event for other services when a session started, changed or was scored at its end. */
import type { SessionRecord } from '../../session/columns.ts';
import { contentHash } from '../../store/canonical.ts';
import type { SessionSummary } from '../../store/store.ts';
import type { SessionMoment } from './follow-sessions.ts';

/** A change of a followed session, with its row. */
export type SessionLiveEvent = SessionRecord & {
  /** The same for the same event. */
  readonly eventId: string;
  /** `session.scored`: it has ended, or its score changed after it ended. */
  readonly type: 'session.started' | 'session.updated' | 'session.scored';
  readonly at: string;
  readonly revision: string;
  readonly turns: number;
  readonly toolCalls: number;
  readonly headline: string;
};

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
  const { facts: _, receipts: __, ...row }: SessionSummary & { readonly facts?: unknown } = given;
  return {
    ...row,
    eventId: eventIdOf(type, row),
    type,
    at: row.scoredAt,
    turns: row.turns ?? 0,
    toolCalls: row.toolCalls ?? 0,
    headline: row.headline ?? '',
  };
}

type Revision = Pick<SessionMoment['row'], 'sessionKey' | 'revision'>;

/** The same event has the same id, whoever sends it and however often. */
function eventIdOf(type: SessionLiveEvent['type'], { sessionKey, revision }: Revision): string {
  return contentHash([type, sessionKey, revision]).slice(0, 32);
}
