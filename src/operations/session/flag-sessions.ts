import { lowSessions } from '../../session/low-session.ts';
import { notReadToItsEnd } from '../../session/not-read-to-its-end.ts';
import type { Flags } from '../../session/results.ts';
import type { Ports } from '../ports.ts';
import { collectSessions } from './collect-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type FlagRequest = SessionRequest & { readonly below: number };

/** The sessions that scored too low to ignore. */
export function flagSessions(request: FlagRequest, ports: Ports): Promise<Flags> {
  const { below } = request;
  return collectSessions(
    request,
    ports,
    ({ sessions, files, unreadable }) => ({
      below,
      flagged: lowSessions(sessions, below),
      sessions: sessions.length,
      scored: sessions.filter(({ session }) => session.q !== undefined).length,
      unread: [...unreadable, ...files.flatMap(notReadToItsEnd)],
    }),
    { whyBelow: below },
  );
}
