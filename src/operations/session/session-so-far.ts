/** How the session of a transcript is doing while it goes on. */
import type { ScoredSession } from '../../session/score-session.ts';
import { whyLow } from '../../session/why-low.ts';
import type { Ports } from '../ports.ts';
import { scoreSessions } from './score-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type SessionSoFar = { readonly session: ScoredSession; readonly why: string };

/** The session that began the transcript; those that it started come after it. Undefined: there is none yet. */
export async function sessionSoFar(
  request: SessionRequest,
  sessionId: string | undefined,
  ports: Ports,
): Promise<SessionSoFar | undefined> {
  const found: ScoredSession[] = [];
  await scoreSessions({ ...request, opinions: false }, ports, ({ session }) => void found.push(session));
  const session = found.find((one) => one.sessionId === sessionId) ?? found[0];
  return session && { session, why: whyLow(session, 1) };
}
