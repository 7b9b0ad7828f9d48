import type { LowSession } from '../../session/session-groups.ts';
import type { QualitySummary } from '../../session/summary.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type LeftOut } from './ask-sessions.ts';
import { lowestSessions } from './flag-sessions.ts';
import type { SessionRequest } from './session-request.ts';
import { summaryOf } from './survey-sessions.ts';

/** What happened in a period, and in the one of the same length before it. */
export type Digest = LeftOut & {
  readonly days: number;
  /** The end of the period, in milliseconds since 1970. */
  readonly until: number;
  readonly current: QualitySummary;
  readonly previous: QualitySummary;
  /** Sessions with a lower Q are flagged. */
  readonly flagBelow: number;
  readonly flagged: readonly LowSession[];
  readonly flaggedInAll: number;
};

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

/** A period, and the one of the same length before it. */
export function digestSessions(request: DigestRequest, ports: Ports): Promise<Digest> {
  const { days, until, flagBelow, most } = request;
  const [end, start, before] = [until + 1, until - days * DAY_MS, until - 2 * days * DAY_MS].map((ms) =>
    new Date(ms).toISOString(),
  ) as [string, string, string];
  return askSessions(request, ports, async (asked) => {
    const current = asked.within({ since: start, until: end });
    const previous = asked.within({ since: before, until: start });
    const { lowest, inAll } = await lowestSessions(current, flagBelow, most);
    return {
      days,
      until,
      current: await summaryOf(current),
      previous: await summaryOf(previous),
      flagBelow,
      flagged: lowest,
      flaggedInAll: inAll,
    };
  });
}
