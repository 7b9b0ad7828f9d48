import { z } from 'zod';
import type { Alert, AlertEvent } from '../../store/store.ts';
import { from } from '../wire.ts';
import { head, pageOf } from './parts.ts';

const severity = z.enum(['warning', 'critical']);
const state = z.enum(['open', 'acknowledged', 'silenced', 'resolved']);
const who = z.string();
const why = z.string().nullable();
const until = z.iso.datetime().nullable();

/** Something that deserves attention, and what became of it. */
export const alert = z.strictObject({
  version: z.literal(1),
  id: from('alertId', z.string()),
  instrument: z.string(),
  severity,
  rule: z.string().describe('The rule that fired, e.g. `three-declines`'),
  subject: z.string(),
  message: z.string(),
  at: z.iso.datetime(),
  state,
  event: z
    .strictObject({ who, why, at: z.iso.datetime(), until: until.describe('When a silence ends') })
    .nullable()
    .describe('The latest thing that somebody did about it'),
});

/** Alerts, newest first. */
export const alertList = pageOf('assay-alerts', alert);

/** One alert with all that became of it. */
export const alertStory = z.object({
  ...head('assay-alert'),
  alert,
  events: z.array(z.object({ state, who, why, at: z.iso.datetime(), until })).describe('Oldest first'),
  run_id: z.string().nullable().describe('The run that raised it, where the store still has it'),
});

/** That an alert fired, or with `event` that it was resolved. */
type Announced = { readonly alert: Alert; readonly event?: AlertEvent };

/** The body of a webhook of alerts. */
export const alertEvent = z.strictObject({
  ...head('assay-alert-event'),
  event_id: from(
    ({ alert: { alertId }, event }: Announced) => event?.eventId ?? `${alertId} fired`,
    z.string().describe('The same for the same event, however often it is told'),
  ),
  type: from(
    ({ event }: Announced) => (event === undefined ? 'alert.fired' : 'alert.resolved'),
    z.enum(['alert.fired', 'alert.resolved']),
  ),
  at: from(({ alert: { at }, event }: Announced) => event?.at ?? at, z.iso.datetime()),
  alert: z.strictObject({
    id: from('alertId', z.string()),
    instrument: z.string(),
    severity,
    rule: z.string(),
    subject: z.string(),
    message: z.string(),
    at: z.iso.datetime().describe('When it fired'),
  }),
  who: from(
    ({ event }: Announced) => event?.who,
    z.string().nullable().describe('Who resolved it; `assay` where the condition was over'),
  ),
  why: from(({ event }: Announced) => event?.why, z.string().nullable()),
});

export type AlertEventWire = z.infer<typeof alertEvent>;
