import type { Alert } from '../../store/store.ts';
import { isNew } from '../deliveries/is-new.ts';
import type { Ports } from '../ports.ts';
import type { SessionLiveEvent } from '../session/session-event.ts';

/** A session that ended longer ago is history and no news. */
const NEWS_MS = 86_400_000;

/** One alert for a session that has ended with a Q below the line, however often it is scored; what was raised, if it is new. */
export async function raiseSessionAlert(
  { event, below }: { readonly event: SessionLiveEvent; readonly below: number },
  ports: Ports,
): Promise<Alert | undefined> {
  const { type, sessionKey, project, headline, q, agent, source, endedAt } = event;
  if (type !== 'session.scored' || q === undefined || q >= below) return undefined;
  if (endedAt !== undefined && Date.parse(endedAt) < ports.now().getTime() - NEWS_MS) return undefined;
  const where = project === undefined ? '' : ` in ${project}`;
  const alert: Alert = {
    alertId: `session-q-low:${sessionKey}:1`,
    instrument: 'session',
    severity: 'warning',
    rule: 'session-q-low',
    subject: sessionKey,
    message: `Q ${q.toFixed(2)} of a session of ${agent ?? source}${where} is below ${below.toFixed(2)}${headline === '' ? '' : `: ${headline}`}`,
    at: event.at,
    project,
  };
  const store = await ports.store();
  return (await isNew(store.appendAlerts([alert]))) ? alert : undefined;
}
