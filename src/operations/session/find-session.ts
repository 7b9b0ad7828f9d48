import { AssayError } from '../../errors.ts';
import { suggest } from '../../suggest.ts';
import type { CollectedSession } from './collect-sessions.ts';

/** The session whose key or id is, or whose id begins with, what was asked for. */
export function findSession(sessions: readonly CollectedSession[], id: string): CollectedSession {
  // A key is nobody's to choose, an id is: where one session has the key that another gives as its id, it is meant.
  const keyed = sessions.find(({ key }) => key === id);
  if (keyed !== undefined) return keyed;
  const exact = sessions.filter(({ session }) => session.sessionId === id);
  if (exact[0] !== undefined && new Set(exact.map(({ key }) => key)).size === 1) return exact[0];
  if (exact.length > 1) throw severalOf(id, exact);
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

/** So many are shown of those that have one id. */
const SHOWN = 5;

function severalOf(id: string, found: readonly CollectedSession[]): AssayError {
  const shown = found.slice(0, SHOWN).map(({ key, file }) => `${key} (${file.path})`);
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  return new AssayError('SESSION_NOT_FOUND', `${found.length} sessions have the id "${id}"`, {
    remedy: `Name one by its key: ${shown.join(', ')}${more}.`,
  });
}
