import { lowSessions } from '../../session/low-session.ts';
import type { Digest } from '../../session/results.ts';
import { summarise } from '../../session/summary.ts';
import type { Ports } from '../ports.ts';
import { type CollectedSession, collectSessions } from './collect-sessions.ts';
import type { SessionRequest } from './session-request.ts';
import { storedLowSessions } from './stored/stored-low-sessions.ts';
import { answerStored, type StoredScores } from './stored/stored-scores.ts';
import { storedSummary } from './stored/stored-summary.ts';

export type DigestRequest = SessionRequest & {
  readonly days: number;
  /** The end of the period, in milliseconds since 1970. */
  readonly until: number;
  /** Sessions with a lower Q are named one by one. */
  readonly flagBelow: number;
  /** How many of those; all of them without it. */
  readonly most?: number | undefined;
};

const DAY_MS = 86_400_000;

export async function digestSessions(request: DigestRequest, ports: Ports): Promise<Digest> {
  const { days, until, flagBelow } = request;
  const start = until - days * DAY_MS;
  const digest = await answerStored(request, ports, (stored) => digestStored(stored, request));
  if (digest !== undefined) return digest;
  return collectSessions(
    request,
    ports,
    ({ sessions }) => {
      const current = startedWithin(sessions, start, until + 1);
      const previous = startedWithin(sessions, start - days * DAY_MS, start);
      const flagged = lowSessions(current, flagBelow);
      return {
        days,
        until,
        current: summarise(current.map(({ session }) => session)),
        previous: summarise(previous.map(({ session }) => session)),
        flagBelow,
        flagged,
        flaggedInAll: flagged.length,
      };
    },
    { whyBelow: flagBelow },
  );
}

/** As many as a person is told the reason of. */
const EXPLAINED = 5;

async function digestStored(stored: StoredScores, request: DigestRequest): Promise<Digest> {
  const { days, until, flagBelow, most } = request;
  const [end, start, before] = [until + 1, until - days * DAY_MS, until - 2 * days * DAY_MS].map((ms) =>
    new Date(ms).toISOString(),
  ) as [string, string, string];
  const current = stored.within({ since: start, until: end });
  const previous = stored.within({ since: before, until: start });
  const { lowest, inAll } = await storedLowSessions(current, flagBelow, { most, explained: EXPLAINED });
  return {
    days,
    until,
    current: await storedSummary(current),
    previous: await storedSummary(previous),
    flagBelow,
    flagged: lowest,
    flaggedInAll: inAll,
    unreadable: [],
  };
}

function startedWithin(sessions: readonly CollectedSession[], from: number, to: number): CollectedSession[] {
  return sessions.filter(
    ({ session: { startedAt } }) => startedAt !== undefined && startedAt >= from && startedAt < to,
  );
}
