import type { z } from 'zod';
import type { Alert, AlertEvent } from '../../store/store.ts';
import type { alertEvent } from '../schema/alert-event.ts';

export type AlertEventWire = z.infer<typeof alertEvent>;

/** That it fired, or with `event` that it was resolved. */
export function encodeAlertEvent(alert: Alert, event?: AlertEvent): AlertEventWire {
  const { alertId, ...said } = alert;
  return {
    format: 'assay-alert-event',
    version: 1,
    event_id: event?.eventId ?? `${alertId} fired`,
    type: event === undefined ? 'alert.fired' : 'alert.resolved',
    at: event?.at ?? alert.at,
    alert: { id: alertId, ...said },
    who: event?.who ?? null,
    why: event?.why ?? null,
  };
}
