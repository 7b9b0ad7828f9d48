/** What is asked of ratings, alerts and deliveries beside reading them in order. */
import { checkLimit, checkPoint } from '../query.ts';
import type {
  Alert,
  AlertEvent,
  AlertQuery,
  AlertState,
  Delivery,
  PendingDelivery,
  PendingQuery,
  Rating,
  RatingQuery,
  TrackedAlert,
  TrackedAlertQuery,
} from '../store.ts';
import type { Connection } from './connection.ts';
import { ALERT_EVENTS, ALERTS, DELIVERIES, RATINGS, readKeyed } from './keyed-records.ts';
import { inProject, namesOf, Where } from './where.ts';

export function readRatings(connection: Connection, query: RatingQuery): Promise<Rating[]> {
  const { latest, inProjects } = query;
  const where = new Where()
    .and('kind = ?', 'String', query.kind)
    .and('subject_id = ?', 'String', query.subjectId)
    .and('author = ?', 'String', query.author);
  if (latest !== undefined) {
    const per = latest === 'per author' ? 'kind, subject_id, author' : 'kind, subject_id';
    // What others say of theirs, by whatever name, is no last word for those who do not see it.
    where.mixed((mark) => {
      const seen =
        inProjects === undefined ? '' : ` WHERE ${inProject(mark('Array(String)', namesOf(inProjects)))}`;
      return `rating_id IN (SELECT argMax(rating_id, (at, rating_id)) FROM rating FINAL${seen} GROUP BY ${per})`;
    });
  }
  return readKeyed<Rating>(connection, RATINGS, where, query);
}

export function readAlerts(connection: Connection, query: AlertQuery): Promise<Alert[]> {
  return readKeyed<Alert>(connection, ALERTS, whereAlert(query), query);
}

export async function trackAlerts(connection: Connection, query: TrackedAlertQuery): Promise<TrackedAlert[]> {
  const now = checkPoint('now', query.now);
  const where = whereAlert(query);
  if (query.states !== undefined) {
    const states = query.states;
    // The latest event decides; a silence that is over does not.
    where.mixed((mark) => {
      const state = `if(state = 'silenced' AND until <= ${mark('String', now)}, 'open', state)`;
      const latest = `SELECT alert_id, argMax(${state}, (at, event_id)) AS is FROM alert_event FINAL GROUP BY alert_id`;
      const asked = mark('Array(String)', states);
      const others = states.includes('open')
        ? ' OR alert_id NOT IN (SELECT alert_id FROM alert_event FINAL)'
        : '';
      return `(alert_id IN (SELECT alert_id FROM (${latest}) WHERE is IN ${asked})${others})`;
    });
  }
  const alerts = await readKeyed<Alert>(connection, ALERTS, where, query);
  const events = await latestEvents(
    connection,
    alerts.map(({ alertId }) => alertId),
  );
  return alerts.map((alert) => {
    const event = events.get(alert.alertId);
    return { ...alert, state: stateOf(event, now), ...(event && { event }) };
  });
}

async function latestEvents(
  connection: Connection,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, AlertEvent>> {
  if (alertIds.length === 0) return new Map();
  const where = new Where()
    .and('alert_id IN ?', 'Array(String)', alertIds)
    .when(
      true,
      'event_id IN (SELECT argMax(event_id, (at, event_id)) FROM alert_event FINAL GROUP BY alert_id)',
    );
  const events = await readKeyed<AlertEvent>(connection, ALERT_EVENTS, where, {});
  return new Map(events.map((event) => [event.alertId, event]));
}

function stateOf(event: AlertEvent | undefined, now: string): AlertState {
  if (event === undefined) return 'open';
  return event.until !== undefined && event.until <= now ? 'open' : event.state;
}

function whereAlert(query: AlertQuery): Where {
  return new Where()
    .and('alert_id = ?', 'String', query.alertId)
    .and('instrument = ?', 'String', query.instrument)
    .and('subject = ?', 'String', query.subject)
    .and('rule = ?', 'String', query.rule);
}

/** Deliveries that are asked for at once, unless somebody says how many. */
const MOST_PENDING = 1000;

// Of a claim and what came of it in one millisecond, the latter is last.
const TRIED = `
  SELECT delivery_id, count() AS steps, countIf(outcome = 'failed') AS attempts, max(at) AS tried_at,
    argMax(outcome, (at, outcome)) AS last, countIf(outcome NOT IN ('failed', 'claimed')) AS done
  FROM delivery_attempt FINAL GROUP BY delivery_id`;

export async function pendingDeliveries(
  connection: Connection,
  { target, limit = MOST_PENDING, inProjects }: PendingQuery,
): Promise<PendingDelivery[]> {
  const only = new Where().and('target = ?', 'String', target).inProjects(inProjects);
  const open = await connection.all(
    `SELECT delivery_id, steps, attempts, tried_at, last
     FROM (SELECT delivery_id, at FROM delivery FINAL${only.sql}) AS delivery
     LEFT JOIN (${TRIED}) AS tried USING delivery_id
     WHERE done = 0 ORDER BY at, delivery_id LIMIT ${checkLimit(limit)}`,
    only.values,
  );
  if (open.length === 0) return [];
  const where = new Where().and(
    'delivery_id IN ?',
    'Array(String)',
    open.map(([id]) => String(id)),
  );
  const deliveries = await readKeyed<Delivery>(connection, DELIVERIES, where, {});
  const tried = new Map(open.map(([id, ...rest]) => [String(id), rest]));
  return deliveries.map((delivery) => {
    const [steps, attempts, at, last] = tried.get(delivery.deliveryId) ?? [];
    return {
      ...delivery,
      attempts: Number(attempts),
      steps: Number(steps),
      isClaimed: last === 'claimed',
      ...(Number(steps) > 0 && { triedAt: String(at) }),
    };
  });
}
