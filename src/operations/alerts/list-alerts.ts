import type { AlertState, Position, TrackedAlert } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export type ListAlertsRequest = {
  /** All of them unless told. */
  readonly states?: readonly AlertState[];
  readonly instrument?: string;
  readonly limit?: number;
  /** Only alerts that come after this one in the list: older ones. */
  readonly after?: Position;
};

/** Alerts with what became of them, newest first. */
export async function listAlerts(request: ListAlertsRequest, ports: Ports): Promise<readonly TrackedAlert[]> {
  const store = await ports.store('looking');
  return store.trackAlerts({ ...request, order: 'newest', now: ports.now().toISOString() });
}
