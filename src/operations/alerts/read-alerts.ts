import { AssayError } from '../../errors.ts';
import type { AlertEvent, AlertState, Position, Store, TrackedAlert } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export type ListAlertsRequest = {
  /** Default: all. */
  readonly states?: readonly AlertState[];
  readonly instrument?: string;
  readonly limit?: number;
  /** Only alerts that come after this one in the list: older ones. */
  readonly after?: Position;
};

/** Alerts with their state, newest first. */
export async function listAlerts(request: ListAlertsRequest, ports: Ports): Promise<readonly TrackedAlert[]> {
  const store = await ports.store('looking');
  return store.trackAlerts({ ...request, order: 'newest', now: ports.now().toISOString() });
}

export type AlertStory = {
  readonly alert: TrackedAlert;
  /** Its events, oldest first. */
  readonly events: readonly AlertEvent[];
  /** The run that raised it, where the store still has it. */
  readonly runId?: string;
};

/** One alert with its whole history, and what it is about. */
export async function readAlert({ id }: { readonly id: string }, ports: Ports): Promise<AlertStory> {
  const store = await ports.store('looking');
  const alert = await findAlert(store, id, ports.now().toISOString());
  const runId = await runOf(store, alert);
  return {
    alert,
    events: await store.readAlertEvents({ alertId: id }),
    runId,
  };
}

export async function findAlert(store: Store, id: string, now: string): Promise<TrackedAlert> {
  const [found] = await store.trackAlerts({ alertId: id, now });
  if (found !== undefined) return found;
  throw new AssayError('ALERT_NOT_FOUND', `no alert has the id "${id}"`);
}

/** An alert carries the time and the subject of the run that raised it. */
async function runOf(store: Store, { instrument, subject, at }: TrackedAlert): Promise<string | undefined> {
  const until = new Date(Date.parse(at) + 1).toISOString();
  const [run] = await store.listRuns({ instrument, subject, since: at, until, limit: 1 });
  return run?.runId;
}
