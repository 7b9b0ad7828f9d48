import { lowSessions } from '../../session/low-session.ts';
import type { Digest } from '../../session/results.ts';
import { summarise } from '../../session/summary.ts';
import type { Ports } from '../ports.ts';
import { type CollectedSession, collectSessions } from './collect-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type DigestRequest = SessionRequest & {
  readonly days: number;
  /** The end of the period, in milliseconds since 1970. */
  readonly until: number;
  /** Sessions with a lower Q are named one by one. */
  readonly flagBelow: number;
};

const DAY_MS = 86_400_000;

export function digestSessions(request: DigestRequest, ports: Ports): Promise<Digest> {
  const { days, until, flagBelow } = request;
  const start = until - days * DAY_MS;
  return collectSessions(
    request,
    ports,
    ({ sessions }) => {
      const current = startedWithin(sessions, start, until + 1);
      const previous = startedWithin(sessions, start - days * DAY_MS, start);
      return {
        days,
        until,
        current: summarise(current.map(({ session }) => session)),
        previous: summarise(previous.map(({ session }) => session)),
        flagBelow,
        flagged: lowSessions(current, flagBelow),
      };
    },
    { whyBelow: flagBelow },
  );
}

function startedWithin(sessions: readonly CollectedSession[], from: number, to: number): CollectedSession[] {
  return sessions.filter(
    ({ session: { startedAt } }) => startedAt !== undefined && startedAt >= from && startedAt < to,
  );
}
