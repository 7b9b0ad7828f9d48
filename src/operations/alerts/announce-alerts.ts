/**
 * Queues deliveries of alerts: one for each open alert and target, and one for the end of each delivered alert.
 * Everything is derived from the store, so that two processes, or one after a crash, queue the same deliveries once.
 */
import { alertEvent } from '../../api/schema/alert.ts';
import { encode } from '../../api/wire.ts';
import type { Alert, AlertEvent, Delivery, Json, Store } from '../../store/store.ts';
import { GIVE_UP_MS } from '../deliveries/outbox.ts';
import type { Ports } from '../ports.ts';
import { isQuiet, type QuietPeriod } from './quiet-hours.ts';

export type AnnounceRequest = {
  /** Names of the targets. */
  readonly targets: readonly string[];
  readonly quiet: readonly QuietPeriod[];
};

/** How many deliveries are new. Alerts older than a target's first delivery are not sent to it. */
export async function announceAlerts({ targets, quiet }: AnnounceRequest, ports: Ports): Promise<number> {
  // Without a store there is nothing to deliver, and none is created.
  const store = await ports.store('looking');
  const now = ports.now();
  const since = new Date(now.getTime() - GIVE_UP_MS).toISOString();
  const isQuietNow = ({ severity }: Alert) => isQuiet(quiet, severity, now);
  let added = 0;
  for (const alert of await store.trackAlerts({ since, now: now.toISOString(), states: ['open'] })) {
    // Somebody opened it again: they know of it.
    if (isQuietNow(alert) || (alert.event !== undefined && alert.event.state === 'open')) continue;
    for (const target of targets) added += await note(store, deliveryOf(target, alert));
  }
  for (const event of await store.readAlertEvents({ since })) {
    const alert = event.state === 'resolved' ? await stillResolved(store, event, now) : undefined;
    if (alert === undefined || isQuietNow(alert)) continue;
    for (const target of targets)
      if (await has(store, deliveryOf(target, alert)))
        added += await note(store, deliveryOf(target, alert, event));
  }
  return added;
}

function deliveryOf(target: string, alert: Alert, event?: AlertEvent): Delivery {
  const message = encode(alertEvent, { alert, event });
  return {
    deliveryId: `${target} ${message.event_id}`,
    target,
    body: message as unknown as Json,
    at: message.at,
    project: alert.project,
  };
}

async function stillResolved(store: Store, event: AlertEvent, now: Date): Promise<Alert | undefined> {
  const [alert] = await store.trackAlerts({ alertId: event.alertId, now: now.toISOString() });
  return alert?.event?.eventId === event.eventId ? alert : undefined;
}

async function has(store: Store, { deliveryId }: Delivery): Promise<boolean> {
  return (await store.readDeliveries({ deliveryId, limit: 1 })).length > 0;
}

async function note(store: Store, delivery: Delivery): Promise<number> {
  if (await has(store, delivery)) return 0;
  return (await store.appendDeliveries([delivery])).added;
}
