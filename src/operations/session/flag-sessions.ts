import type { Flags } from '../../session/results.ts';
import { truncations } from '../../session/skipped-lines.ts';
import type { Ports } from '../ports.ts';
import { askSessions } from './ask-sessions.ts';
import { lowestSessions } from './lowest-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type FlagRequest = SessionRequest & {
  readonly below: number;
  /** How many of the lowest are shown; all of them without it. */
  readonly most?: number | undefined;
  /** False: nobody asks what was not read. */
  readonly withUnread?: boolean;
};

/** The sessions that scored too low to ignore. */
export async function flagSessions(request: FlagRequest, ports: Ports): Promise<Flags> {
  const { below, most, withUnread = true } = request;
  const flags = await askSessions(request, ports, async (asked) => {
    const { lowest: flagged, inAll: flaggedInAll } = await lowestSessions(asked, below, most);
    const { sessions, q } = await asked.total();
    const unread = withUnread ? (await asked.files()).flatMap(truncations) : [];
    return { below, flagged, flaggedInAll, sessions, scored: q.n, unread };
  });
  return { ...flags, unread: [...flags.unreadable, ...flags.unread] };
}
