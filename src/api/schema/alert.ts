import { z } from 'zod';
import {
  type Alert,
  type AlertEvent,
  alert as alertRecord,
  alertEvent as stepRecord,
} from '../../store/schema/records.ts';
import { from, wireShape } from '../wire.ts';
import { head, pageOf } from './parts.ts';

const { alert_id: id, project: _, ...facts } = wireShape(alertRecord.shape);
const { state, who, why, until, at } = wireShape(stepRecord.shape);

/** Something that needs attention, and its state. */
export const alert = z.strictObject({
  version: z.literal(1),
  id: from('alertId', id),
  ...facts,
  state,
  event: z
    .strictObject({ who, why, at, until })
    .nullable()
    .describe('The latest thing that somebody did about it'),
});

/** Alerts, newest first. */
export const alertList = pageOf('assay-alerts', alert);

/** One alert with all its events. */
export const alertStory = z.object({
  ...head('assay-alert'),
  alert,
  events: z.array(z.object({ state, who, why, at, until })).describe('Oldest first'),
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
  alert: z.strictObject({ id: from('alertId', id), ...facts }),
  who: from(
    ({ event }: Announced) => event?.who,
    z.string().nullable().describe('Who resolved it; `assay` where the condition was over'),
  ),
  why: from(({ event }: Announced) => event?.why, why),
});

export type AlertEventWire = z.infer<typeof alertEvent>;
