/** Alerts with what became of them: the latest event decides, and a silence that is over does not. */
import { checkPoint } from '../query.ts';
import type { Alert, AlertEvent, AlertQuery, AlertState, TrackedAlert, TrackedAlertQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { ALERT_EVENTS, ALERTS, readKeyed } from './keyed-records.ts';
import { Where } from './table.ts';

export function readAlerts(connection: Connection, query: AlertQuery): Alert[] {
  return readKeyed<Alert>(connection, ALERTS, whereOf(query), query);
}

export function trackAlerts(connection: Connection, query: TrackedAlertQuery): TrackedAlert[] {
  const now = checkPoint('now', query.now);
  const where = whereOf(query);
  if (query.states !== undefined) {
    const marks = query.states.map(() => '?').join(', ');
    where.andAll(`${STATE} IN (${marks})`, [now, ...query.states]);
  }
  return readKeyed<Alert>(connection, ALERTS, where, query).map((alert) => {
    const event = latestEvent(connection, alert.alertId);
    return { ...alert, state: stateOf(event, now), ...(event && { event }) };
  });
}

const STATE = `coalesce((
  SELECT CASE WHEN state = 'silenced' AND until <= ? THEN 'open' ELSE state END FROM alert_event
  WHERE alert_event.alert_id = alert.alert_id ORDER BY at DESC, event_id DESC LIMIT 1
), 'open')`;

function stateOf(event: AlertEvent | undefined, now: string): AlertState {
  if (event === undefined) return 'open';
  return event.until !== undefined && event.until <= now ? 'open' : event.state;
}

function latestEvent(connection: Connection, alertId: string): AlertEvent | undefined {
  const where = new Where().and('alert_id = ?', alertId);
  return readKeyed<AlertEvent>(connection, ALERT_EVENTS, where, { limit: 1 })[0];
}

function whereOf(query: AlertQuery): Where {
  return new Where()
    .and('alert_id = ?', query.alertId)
    .and('instrument = ?', query.instrument)
    .and('subject = ?', query.subject)
    .and('rule = ?', query.rule);
}

/** Inside a transaction: how many alerts went; their events go with them. */
export function pruneAlerts(connection: Connection, before: string): number {
  connection.run(
    `DELETE FROM alert_event WHERE alert_id IN (SELECT alert_id FROM alert WHERE at < ?1)
     OR (at < ?1 AND alert_id NOT IN (SELECT alert_id FROM alert))`,
    [before],
  );
  return connection.run('DELETE FROM alert WHERE at < ?', [before]).changes;
}
