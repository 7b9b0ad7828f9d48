import { AssayError } from '../../errors.ts';
import type { AlertEvent, AlertState, TrackedAlert } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { findAlert } from './read-alerts.ts';

export type AlertChange =
  | { readonly to: 'acknowledged' | 'resolved' | 'open' }
  /** No delivery before this time. */
  | { readonly to: 'silenced'; readonly until: string };

export type ChangeAlertRequest = {
  readonly id: string;
  readonly change: AlertChange;
  /** Who made the change; by default the user of the ports. */
  readonly who?: string;
  readonly why?: string;
};

/** What may be done to an alert in a state; what is resolved has to be opened again first. */
const MAY: Readonly<Record<AlertState, readonly AlertState[]>> = {
  open: ['acknowledged', 'silenced', 'resolved'],
  acknowledged: ['silenced', 'resolved', 'open'],
  silenced: ['acknowledged', 'silenced', 'resolved', 'open'],
  resolved: ['open'],
};

/** Adds one step to the history of an alert; nothing that was said before is changed. */
export async function changeAlert(request: ChangeAlertRequest, ports: Ports): Promise<TrackedAlert> {
  const { id, change, why } = request;
  const store = await ports.store();
  const at = ports.now().toISOString();
  const alert = await findAlert(store, id, at);
  if (!MAY[alert.state].includes(change.to)) {
    throw new AssayError('ALERT_STATE', `the alert is ${alert.state}, so it cannot become ${change.to}`);
  }
  const event: AlertEvent = {
    eventId: ports.newId(),
    alertId: id,
    state: change.to,
    ...(change.to === 'silenced' && { until: untilOf(change.until, at) }),
    who: request.who ?? ports.identity(),
    ...(why !== undefined && { why }),
    at: afterLast(alert, at),
    ...(alert.project !== undefined && { project: alert.project }),
  };
  await store.appendAlertEvents([event]);
  return findAlert(store, id, event.at);
}

function untilOf(until: string, now: string): string {
  const end = new Date(until);
  if (Number.isNaN(end.getTime())) throw new AssayError('INPUT_INVALID', `"${until}" is not a time`);
  if (end.toISOString() <= now) throw new AssayError('ALERT_STATE', 'a silence ends in the future');
  return end.toISOString();
}

/** The latest event decides: two in the same millisecond keep the order of their requests. */
function afterLast({ event }: TrackedAlert, now: string): string {
  if (event === undefined || event.at < now) return now;
  return new Date(Date.parse(event.at) + 1).toISOString();
}
