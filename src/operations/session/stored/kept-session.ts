import { AssayError } from '../../../errors.ts';
import type { FileReading, SessionFacts } from '../../../session/evidence.ts';
import type { SessionRow } from '../../../store/session-row.ts';
import type { Store } from '../../../store/store.ts';

/** A stored session with what it was scored from. */
export type KeptSession = {
  readonly row: SessionRow;
  readonly facts: SessionFacts;
  readonly file: FileReading;
};

/** So many sessions of one name are told apart by their keys. */
const NAMESAKES = 8;

/** By its key, or by its id where no other session has that. */
export async function findKept(store: Store, id: string): Promise<KeptSession> {
  const row = (await store.readSession(id)) ?? (await onlyNamed(store, id));
  // Its own scorer wrote them.
  const { facts, file } = row.facts as unknown as Pick<KeptSession, 'facts' | 'file'>;
  return { row, facts, file };
}

async function onlyNamed(store: Store, sessionId: string): Promise<SessionRow> {
  const found = (await store.listSessions({ sessionId, limit: NAMESAKES })).filter(
    (one) => one.sessionId === sessionId,
  );
  const [only, ...others] = found;
  if (only === undefined)
    throw new AssayError('SESSION_NOT_FOUND', `no session has the key or id "${sessionId}"`);
  const keys = found.map(({ sessionKey }) => sessionKey).join(', ');
  if (others.length > 0)
    throw new AssayError('SESSION_NOT_FOUND', `${found.length} sessions have the id "${sessionId}"`, {
      remedy: `Name one by its key: ${keys}.`,
    });
  return (await store.readSession(only.sessionKey)) ?? gone(only.sessionKey);
}

/** It went between two questions. */
function gone(key: string): never {
  throw new AssayError('SESSION_NOT_FOUND', `the session ${key} is no more`);
}
