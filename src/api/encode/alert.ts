import type { z } from 'zod';
import type { Alert } from '../../store/store.ts';
import type { alert as schema } from '../schema/alert.ts';

export function encodeAlert(alert: Alert): z.infer<typeof schema> {
  const { alertId, instrument, severity, rule, subject, message, at } = alert;
  return { id: alertId, instrument, severity, rule, subject, message, at };
}
