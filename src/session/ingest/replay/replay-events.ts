/** Reads a transcript once more and passes on the events of one of its sessions. */
import type { Event } from '../../event.ts';
import type { OpenInput } from '../files/open-input.ts';
import { readFile } from '../reading/read-file.ts';

/** Who listened to the sessions of one reading, and which of them have a name. */
type Heard<Listener> = {
  readonly bySession: Map<string, Listener>;
  readonly byName: Map<string, Listener>;
};

export async function replayEvents<Listener>(
  path: string,
  sessionId: string,
  begin: (source: string) => Listener,
  hear: (listener: Listener, event: Event) => void,
  open?: OpenInput,
): Promise<Listener | undefined> {
  const readings: Heard<Listener>[] = [];
  await readFile(path, {
    open,
    listen: (source) => {
      const { bySession, byName } = newReading(readings);
      return (event, session = '') => {
        const listener = bySession.get(session) ?? begin(source);
        bySession.set(session, listener);
        if (event.kind === 'session' && event.sessionId !== undefined) byName.set(event.sessionId, listener);
        hear(listener, event);
      };
    },
  });
  // A file with branches is read again when they are known: the last reading counts.
  readings.reverse();
  for (const { byName, bySession } of readings) {
    const listener = byName.get(sessionId) ?? bySession.get(sessionId);
    if (listener !== undefined) return listener;
  }
  // A file with one session may not name it.
  const [only, ...others] = readings[0]?.bySession.values() ?? [];
  return others.length === 0 ? only : undefined;
}

function newReading<Listener>(readings: Heard<Listener>[]): Heard<Listener> {
  const reading: Heard<Listener> = { bySession: new Map(), byName: new Map() };
  readings.push(reading);
  return reading;
}
