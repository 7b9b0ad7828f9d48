import { z } from 'zod';

/** The body of a webhook of alerts. */
export const alertEvent = z.strictObject({
  format: z.literal('assay-alert-event'),
  version: z.literal(1),
  event_id: z.string().describe('The same for the same event, however often it is told'),
  type: z.enum(['alert.fired', 'alert.resolved']),
  at: z.iso.datetime(),
  alert: z.strictObject({
    id: z.string(),
    instrument: z.string(),
    severity: z.enum(['warning', 'critical']),
    rule: z.string(),
    subject: z.string(),
    message: z.string(),
    at: z.iso.datetime().describe('When it fired'),
  }),
  who: z.string().nullable().describe('Who resolved it; `assay` where the condition was over'),
  why: z.string().nullable(),
});
