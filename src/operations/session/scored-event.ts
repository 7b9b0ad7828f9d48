import { type SessionEventWire, sessionEvent } from '../../api/schema/session-event.ts';
import { encode } from '../../api/wire.ts';
import type { Delivery, Json, SessionSummary } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { eventOf } from './session-event.ts';

/** The same event, with the same id, as the one sent when the session ended. */
export function scoredEvent(row: SessionSummary): SessionEventWire {
  return encode(sessionEvent, eventOf('session.scored', row));
}

/** One per target, with an id that is the same whenever and by whomever the event is stored. */
export function deliveriesOf(
  row: SessionSummary,
  targets: readonly string[],
  at: string,
): readonly Delivery[] {
  const event = scoredEvent(row);
  const owner = row.project === undefined ? {} : { project: row.project };
  return targets.map((target) => ({
    deliveryId: `${target} ${event.event_id}`,
    target,
    body: event as unknown as Json,
    at,
    ...owner,
  }));
}

/** The current event of the session: a delayed score must not replace a later one. */
export async function currentEvent(event: SessionEventWire, ports: Ports): Promise<SessionEventWire> {
  const row = await (await ports.store('looking')).readSession(event.session_key);
  return row === undefined || row.revision === event.revision ? event : scoredEvent(row);
}
