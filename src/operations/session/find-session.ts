import { AssayError } from '../../errors.ts';
import { suggest } from '../../suggest.ts';
import type { CollectedSession } from './collect-sessions.ts';

/** The session whose id is, or begins with, what was asked for. */
export function findSession(sessions: readonly CollectedSession[], id: string): CollectedSession {
  const exact = sessions.find(({ session }) => session.sessionId === id);
  if (exact !== undefined) return exact;
  const matching = sessions.filter(({ session }) => session.sessionId.startsWith(id));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  if (only !== undefined)
    throw new AssayError('SESSION_NOT_FOUND', `${matching.length} sessions start with "${id}"`);
  const near = suggest(
    id,
    sessions.map(({ session }) => session.sessionId.slice(0, Math.max(id.length, 4))),
  );
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw new AssayError('SESSION_NOT_FOUND', `no session starts with "${id}"${hint}`);
}
