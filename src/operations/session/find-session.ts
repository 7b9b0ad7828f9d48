import { AssayError } from '../../errors.ts';
import { isoTime } from '../../session/iso-time.ts';
import { suggest } from '../../suggest.ts';
import type { CollectedSession } from './collect-sessions.ts';

/**
 * The session whose key or id is what was asked for, begins with it, or has it somewhere. Where none has, the error that
 * says so: it may be elsewhere. Where several have, it is thrown.
 */
export function findSession(
  sessions: readonly CollectedSession[],
  id: string,
): CollectedSession | AssayError {
  // A key is nobody's to choose, an id is: where one session has the key that another gives as its id, it is meant.
  const keyed = sessions.find(({ key }) => key === id);
  if (keyed !== undefined) return keyed;
  const found = matchesOf(sessions, id);
  const [only] = found;
  if (only !== undefined && new Set(found.map(({ key }) => key)).size === 1) return only;
  if (only !== undefined) throw severalOf(id, found);
  const near = suggest(
    id,
    sessions.map(({ session }) => session.sessionId.slice(0, Math.max(id.length, 4))),
  );
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return new AssayError('SESSION_NOT_FOUND', `no session has "${id}" in its id${hint}`);
}

type Named = { readonly key: string; readonly session: { readonly sessionId: string } };

/** The nearest kind of match decides: the whole, else the beginning, else any part. */
export function matchesOf<One extends Named>(sessions: readonly One[], id: string): readonly One[] {
  const asked = id.toLowerCase();
  const kinds: ((name: string) => boolean)[] = [
    (name) => name === asked,
    (name) => name.startsWith(asked),
    (name) => name.includes(asked),
  ];
  for (const fits of kinds) {
    const found = sessions.filter(
      ({ session, key }) => fits(session.sessionId.toLowerCase()) || (asked.length >= KEY_PART && fits(key)),
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** A shorter part of a key is there by chance. */
const KEY_PART = 8;

/** So many candidates are shown. */
const SHOWN = 8;

function severalOf(id: string, found: readonly CollectedSession[]): AssayError {
  const isSameId = new Set(found.map(({ session }) => session.sessionId)).size === 1;
  const shown = found.slice(0, SHOWN).map(({ key, session, file }) => {
    const day = isoTime(session.startedAt)?.slice(0, 10) ?? 'no date';
    const where = isSameId ? file.path : (session.project ?? file.path);
    return `${isSameId ? key : session.sessionId}  ${day}  ${session.taskType}  ${where}`;
  });
  const more = found.length > SHOWN ? [`and ${found.length - SHOWN} more`] : [];
  const said = isSameId ? `have the id "${id}"` : `have "${id}" in their id`;
  return new AssayError('SESSION_NOT_FOUND', `${found.length} sessions ${said}`, {
    remedy: [{ say: isSameId ? 'Name one by its key' : 'It is one of', list: [...shown, ...more] }],
  });
}
