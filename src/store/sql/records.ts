/** Questions about flat records: ratings, approvals, alerts, feedback, the audit log, deliveries and decompositions. */
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import { checkLimit, checkPeriod, checkPoint, checkPosition } from '../query.ts';
import type {
  Alert,
  AlertEvent,
  AlertQuery,
  AlertState,
  DecompositionQuery,
  Delivery,
  PendingDelivery,
  PendingQuery,
  Rating,
  RatingQuery,
  TimeQuery,
  TrackedAlert,
  TrackedAlertQuery,
} from '../store.ts';
import { type Engine, Where } from './engine.ts';
import { KEYED, recordColumns, recordOf, type Table } from './tables.ts';

export async function readKeyed<R extends object>(
  engine: Engine,
  table: Table,
  where: Where,
  query: TimeQuery & { readonly includeAltered?: boolean },
): Promise<R[]> {
  const { order = 'oldest', after, limit } = query;
  const { key } = table;
  narrowByTime(where, query, key);
  // Without a position to resume from, the latest records are read, in either order.
  const forwards = order === 'oldest' && after !== undefined;
  const direction = forwards ? 'ASC' : 'DESC';
  const sql = `SELECT ${recordColumns(table)} FROM ${engine.dialect.current(table.name)}${where.sql}
    ORDER BY at ${direction}, ${key} ${direction}${limitOf(limit)}`;
  const rows = await engine.all(sql, where.values);
  const records = rows.map((row) => recordOf<R>(engine.address, table, row, query.includeAltered));
  return order === 'oldest' && !forwards ? records.reverse() : records;
}

export function narrowByTime(where: Where, query: TimeQuery, key: string): Where {
  const { since, until } = checkPeriod(query);
  const { order = 'oldest', after } = query;
  where.and('at >= ?', since).and('at < ?', until).inProjects(query);
  if (after === undefined) return where;
  checkPosition(after);
  return where.and(`(at, ${key}) ${order === 'oldest' ? '>' : '<'} (?, ?)`, after.at, after.key);
}

export function limitOf(limit: number | undefined): string {
  return checkLimit(limit) === undefined ? '' : ` LIMIT ${limit}`;
}

/** The key of the latest record of a group: a time has 24 characters. */
function latest(key: string): string {
  return `substr(max(at || ${key}), 25)`;
}

export function readRatings(engine: Engine, query: RatingQuery): Promise<Rating[]> {
  const { kind, subjectId, author } = query;
  const where = new Where(engine.dialect)
    .and('kind = ?', kind)
    .and('subject_id = ?', subjectId)
    .and('author = ?', author);
  if (query.latest) {
    // A rating that the asker may not see does not hide one that they may see.
    const seen = where.nested().and('kind = ?', kind).and('subject_id = ?', subjectId).inProjects(query);
    seen.and('author = ?', author);
    where.when(
      true,
      `rating_id IN (SELECT ${latest('rating_id')} FROM ${engine.dialect.current('rating')}${seen.sql}
        GROUP BY kind, subject_id, author)`,
    );
  }
  return readKeyed<Rating>(engine, KEYED.ratings, where, query);
}

export function readAlerts(engine: Engine, query: AlertQuery): Promise<Alert[]> {
  return readKeyed<Alert>(engine, KEYED.alerts, whereAlert(engine, query), query);
}

export async function trackAlerts(engine: Engine, query: TrackedAlertQuery): Promise<TrackedAlert[]> {
  const now = checkPoint('now', query.now);
  const where = whereAlert(engine, query);
  const events = engine.dialect.current('alert_event');
  const latestEvents = `event_id IN (SELECT ${latest('event_id')} FROM ${events} GROUP BY alert_id)`;
  const { states } = query;
  if (states !== undefined) {
    // The latest event decides, and an expired silence is open.
    const inState = where
      .nested()
      .when(true, latestEvents)
      .and("CASE WHEN state = 'silenced' AND until <= ? THEN 'open' ELSE state END IN ?", now, states);
    const untouched = states.includes('open') ? ` OR alert_id NOT IN (SELECT alert_id FROM ${events})` : '';
    where.when(true, `(alert_id IN (SELECT alert_id FROM ${events}${inState.sql})${untouched})`);
  }
  const alerts = await readKeyed<Alert>(engine, KEYED.alerts, where, query);
  if (alerts.length === 0) return [];
  const ofThese = new Where(engine.dialect)
    .and(
      'alert_id IN ?',
      alerts.map(({ alertId }) => alertId),
    )
    .when(true, latestEvents);
  const found = await readKeyed<AlertEvent>(engine, KEYED['alert-events'], ofThese, {});
  const byAlert = new Map(found.map((event) => [event.alertId, event]));
  return alerts.map((alert) => {
    const event = byAlert.get(alert.alertId);
    return { ...alert, state: stateOf(event, now), ...(event && { event }) };
  });
}

function stateOf(event: AlertEvent | undefined, now: string): AlertState {
  if (event === undefined) return 'open';
  return event.until !== undefined && event.until <= now ? 'open' : event.state;
}

function whereAlert({ dialect }: Engine, query: AlertQuery): Where {
  return new Where(dialect)
    .and('alert_id = ?', query.alertId)
    .and('instrument = ?', query.instrument)
    .and('subject = ?', query.subject)
    .and('rule = ?', query.rule);
}

const MOST_PENDING = 1000;

// Of a claim and its outcome in one millisecond, the outcome is the last step: `claimed` sorts before the others.
const tried = (attempts: string) => `
  SELECT delivery_id, count(*) AS steps, sum(CASE WHEN outcome = 'failed' THEN 1 ELSE 0 END) AS attempts,
    max(at) AS tried_at, substr(max(at || outcome), 25) AS last_outcome,
    sum(CASE WHEN outcome IN ('failed', 'claimed') THEN 0 ELSE 1 END) AS done
  FROM ${attempts} GROUP BY delivery_id`;

export async function pendingDeliveries(
  engine: Engine,
  { target, limit = MOST_PENDING, ...projects }: PendingQuery,
): Promise<PendingDelivery[]> {
  const { current } = engine.dialect;
  const only = new Where(engine.dialect).and('target = ?', target).inProjects(projects);
  const open = await engine.all(
    `SELECT delivery_id, steps, attempts, tried_at, last_outcome
     FROM (SELECT delivery_id, at FROM ${current('delivery')}${only.sql}) AS pending
     LEFT JOIN (${tried(current('delivery_attempt'))}) AS tried USING (delivery_id)
     WHERE coalesce(done, 0) = 0 ORDER BY at, delivery_id${limitOf(limit)}`,
    only.values,
  );
  if (open.length === 0) return [];
  const ids = open.map(([id]) => String(id));
  const where = new Where(engine.dialect).and('delivery_id IN ?', ids);
  const deliveries = await readKeyed<Delivery>(engine, KEYED.deliveries, where, {});
  const steps = new Map(open.map(([id, ...rest]) => [String(id), rest]));
  return deliveries.map((delivery) => {
    const [count, attempts, at, outcome] = steps.get(delivery.deliveryId) ?? [];
    return {
      ...delivery,
      attempts: Number(attempts ?? 0),
      steps: Number(count ?? 0),
      isClaimed: outcome === 'claimed',
      ...(Number(count ?? 0) > 0 && { triedAt: String(at) }),
    };
  });
}

export function readDecompositions(
  engine: Engine,
  query: DecompositionQuery,
): Promise<DecompositionRecord[]> {
  const where = new Where(engine.dialect)
    .and('prompt_version = ?', query.promptVersion)
    .and('model = ?', query.model)
    .and('topic = ?', query.topic)
    .and('status = ?', query.status)
    .and('experiment_id = ?', query.experiment)
    .and('id IN ?', query.ids)
    .when(query.sampledOnly === true, 'sample_stratum IS NOT NULL');
  return readKeyed<DecompositionRecord>(engine, KEYED.decompositions, where, query);
}
