/** Reads a transcript once more and lets somebody listen to the events of one of its sessions. */
import type { Event } from '../../event.ts';
import { loadFormats } from '../formats/load-formats.ts';
import { readFile } from '../reading/read-file.ts';

export async function replayEvents<Listener>(
  path: string,
  sessionId: string,
  begin: (source: string) => Listener,
  hear: (listener: Listener, event: Event) => void,
): Promise<Listener | undefined> {
  const listeners = new Map<string, Listener>();
  const names = new Map<string, string>();
  const formats = (await loadFormats()).map(({ store: _, ...format }) => ({
    ...format,
    step: (state: unknown, record: unknown, line: number, emit: (event: Event, session?: string) => void) =>
      format.step(state, record, line, (event, session) => {
        const key = session ?? '';
        const listener = listeners.get(key) ?? begin(format.name);
        listeners.set(key, listener);
        if (event.kind === 'session' && event.sessionId !== undefined) names.set(event.sessionId, key);
        hear(listener, event);
        emit(event, session);
      }),
  }));
  await readFile(path, { formats });
  // A file with one session may not name it; one with several does, or uses the id as its key.
  const [only] = listeners.values();
  return listeners.get(names.get(sessionId) ?? sessionId) ?? (listeners.size === 1 ? only : undefined);
}
