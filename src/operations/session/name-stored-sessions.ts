import type { Environment } from '../../session/ingest/formats/format.ts';
import type { ListedSession } from '../../session/results.ts';
import type { Ports } from '../ports.ts';
import { listedRow, withTitles } from './listed-sessions.ts';

export type NamesRequest = {
  readonly keys: readonly string[];
  /** Say what was asked: transcripts are read again, and keys of this environment masked. */
  readonly titles?: { readonly environment: Environment } | undefined;
};

/** What stored sessions are called; nothing for a key that no session has. */
export async function nameStoredSessions(
  { keys, titles }: NamesRequest,
  ports: Ports,
): Promise<ListedSession[]> {
  const store = await ports.store('looking');
  const named: ListedSession[] = [];
  for (const key of new Set(keys)) {
    ports.signal.throwIfAborted();
    const row = await store.readSession(key);
    if (row !== undefined) named.push(listedRow(row));
  }
  return titles === undefined ? named : withTitles(named, titles.environment, ports);
}
