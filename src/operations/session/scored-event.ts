import { type SessionEventWire, sessionEvent } from '../../api/schema/session-event.ts';
import { encode } from '../../api/wire.ts';
import type { SessionSummary } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { eventOf } from './session-event.ts';

/** The same event, with the same id, as the one sent when the session ended. */
export function scoredEvent(row: SessionSummary): SessionEventWire {
  return encode(sessionEvent, eventOf('session.scored', row));
}

/** What the store says of the session by now: a score that waited is not to take the place of a later one. */
export async function currentEvent(event: SessionEventWire, ports: Ports): Promise<SessionEventWire> {
  const row = await (await ports.store('looking')).readSession(event.session_key);
  return row === undefined || row.revision === event.revision ? event : scoredEvent(row);
}
