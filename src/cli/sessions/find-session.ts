import { AssayError } from '../../errors.ts';
import { suggest } from '../../suggest.ts';
import type { Loaded } from './load.ts';

/** The session whose id is, or begins with, what was typed. */
export function findSession(sessions: readonly Loaded[], id: string): Loaded {
  const exact = sessions.find(({ session }) => session.sessionId === id);
  if (exact !== undefined) return exact;
  const matching = sessions.filter(({ session }) => session.sessionId.startsWith(id));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  if (only !== undefined) {
    throw new AssayError('USAGE', `${matching.length} sessions start with "${id}"`, {
      remedy: 'Type more of the id.',
    });
  }
  const near = suggest(
    id,
    sessions.map(({ session }) => session.sessionId.slice(0, Math.max(id.length, 4))),
  );
  throw new AssayError(
    'USAGE',
    `no session starts with "${id}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    {
      remedy: 'assay sessions score --format csv lists every session_id.',
    },
  );
}
