import { AssayError } from '../../errors.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import type { SessionSummary, Store } from '../../store/store.ts';
import { suggest } from '../../suggest.ts';

/** A shorter part of a key may match by chance. */
const KEY_PART = 8;

/** The number of candidates in the error. */
const SHOWN = 8;

/** The session whose key or id equals, starts with or contains the text; the closest match decides. */
export async function findSession(store: Store, id: string): Promise<SessionRow> {
  // A key cannot be chosen by a sender, an id can: where one session's key equals another's id, the key wins.
  const keyed = await store.readSession(id);
  if (keyed !== undefined) return keyed;
  const named = (await store.listSessions({ sessionId: id })).filter(({ sessionId }) => sessionId === id);
  const { found, near } = named.length > 0 ? { found: named, near: undefined } : await matching(store, id);
  const [only, ...others] = found;
  if (only === undefined) {
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    throw new AssayError('SESSION_NOT_FOUND', `no session has "${id}" in its id${hint}`);
  }
  if (others.length > 0) throw severalOf(id, found);
  const row = await store.readSession(only.sessionKey);
  if (row === undefined)
    throw new AssayError('SESSION_NOT_FOUND', `the session ${only.sessionKey} was deleted`);
  return row;
}

/** Like `findSession`, but accepts only a key or a whole id. */
export async function findNamed(store: Store, id: string): Promise<SessionRow> {
  const row = await store.readSession(id);
  if (row !== undefined) return row;
  const found = (await store.listSessions({ sessionId: id, limit: SHOWN })).filter(
    ({ sessionId }) => sessionId === id,
  );
  if (found.length === 0) throw new AssayError('SESSION_NOT_FOUND', `no session has the key or id "${id}"`);
  return findSession(store, id);
}

async function matching(
  store: Store,
  id: string,
): Promise<{ readonly found: readonly SessionSummary[]; readonly near: string | undefined }> {
  const asked = id.toLowerCase();
  const kinds: readonly ((name: string) => boolean)[] = [
    (name) => name === asked,
    (name) => name.startsWith(asked),
    (name) => name.includes(asked),
  ];
  const found: SessionSummary[][] = kinds.map(() => []);
  const names: string[] = [];
  for await (const row of store.readSessions({ withoutFacts: true })) {
    const name = row.sessionId.toLowerCase();
    const kind = kinds.findIndex((fits) => fits(name) || (asked.length >= KEY_PART && fits(row.sessionKey)));
    if (kind >= 0) found[kind]?.push(row);
    names.push(row.sessionId.slice(0, Math.max(id.length, 4)));
  }
  return { found: found.find((some) => some.length > 0) ?? [], near: suggest(id, names) };
}

function severalOf(id: string, found: readonly SessionSummary[]): AssayError {
  const isSameId = new Set(found.map(({ sessionId }) => sessionId)).size === 1;
  const shown = found.slice(0, SHOWN).map(({ sessionKey, sessionId, startedAt, taskType, path, project }) => {
    const day = startedAt?.slice(0, 10) ?? 'no date';
    const where = (isSameId ? path : (project ?? path)) ?? '';
    return `${isSameId ? sessionKey : sessionId}  ${day}  ${taskType}  ${where}`;
  });
  const more = found.length > SHOWN ? [`and ${found.length - SHOWN} more`] : [];
  const said = isSameId ? `have the id "${id}"` : `have "${id}" in their id`;
  return new AssayError('SESSION_NOT_FOUND', `${found.length} sessions ${said}`, {
    remedy: [{ say: isSameId ? 'Name one by its key' : 'It is one of', list: [...shown, ...more] }],
  });
}
