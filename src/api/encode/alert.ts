import type { z } from 'zod';
import type { TrackedAlert } from '../../store/store.ts';
import type { alert as schema } from '../schema/alert.ts';

export function encodeAlert(alert: TrackedAlert): z.infer<typeof schema> {
  const { alertId, instrument, severity, rule, subject, message, at, state, event } = alert;
  return {
    version: 1,
    id: alertId,
    instrument,
    severity,
    rule,
    subject,
    message,
    at,
    state,
    event:
      event === undefined
        ? null
        : { who: event.who, why: event.why ?? null, at: event.at, until: event.until ?? null },
  };
}
