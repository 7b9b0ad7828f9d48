import type { FileReading } from '../../../session/evidence.ts';
import type { Environment } from '../../../session/ingest/formats/format.ts';
import type { ListedSession } from '../../../session/results.ts';
import type { Ports } from '../../ports.ts';
import { withTitles } from '../listed-sessions.ts';
import { listedRow } from './stored-lines.ts';

export type NamesRequest = {
  readonly keys: readonly string[];
  /** Say what was asked: transcripts are read again, and keys of this environment masked. */
  readonly titles?: { readonly environment: Environment } | undefined;
};

/** What kept sessions are called; of a key that no session has nothing is said. */
export async function nameKept({ keys, titles }: NamesRequest, ports: Ports): Promise<ListedSession[]> {
  const store = await ports.store('looking');
  const named: ListedSession[] = [];
  for (const key of new Set(keys)) {
    ports.signal.throwIfAborted();
    const row = await store.readSession(key);
    // Its own scorer wrote them.
    const { file } = (row?.facts ?? {}) as unknown as { file?: FileReading };
    if (row !== undefined) named.push({ ...listedRow(row), path: file?.path ?? '' });
  }
  return titles === undefined ? named : withTitles(named, titles.environment, ports);
}
