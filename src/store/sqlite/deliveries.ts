import type { Delivery, PendingDelivery, PendingQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { DELIVERIES, readKeyed } from './keyed-records.ts';
import { Where } from './table.ts';

/** Deliveries that are asked for at once, unless somebody says how many. */
const MOST_PENDING = 1000;

const openIn = (narrowed: string) => `
  SELECT delivery_id,
    (SELECT count(*) FROM delivery_attempt AS tried WHERE tried.delivery_id = delivery.delivery_id),
    (SELECT count(*) FROM delivery_attempt AS tried
      WHERE tried.delivery_id = delivery.delivery_id AND tried.outcome = 'failed'),
    -- Of a claim and what came of it in one millisecond, the latter is last.
    (SELECT at || ' ' || outcome FROM delivery_attempt AS tried
      WHERE tried.delivery_id = delivery.delivery_id ORDER BY at DESC, outcome DESC LIMIT 1)
  FROM delivery
  WHERE NOT EXISTS (
    SELECT 1 FROM delivery_attempt AS done
    WHERE done.delivery_id = delivery.delivery_id AND done.outcome NOT IN ('failed', 'claimed')
  )${narrowed}
  ORDER BY at, delivery_id LIMIT ?
`;

/** Inside a transaction, so that both questions are about the same moment. */
export function pendingDeliveries(
  connection: Connection,
  { target, limit = MOST_PENDING, inProjects }: PendingQuery,
): PendingDelivery[] {
  const only = new Where().and('target = ?', target).inProjects('project', inProjects);
  const sql = openIn(only.sql.replace(' WHERE ', ' AND '));
  return connection.all(sql, [...only.values, limit]).flatMap(([id, steps, attempts, last]) => {
    const where = new Where().and('delivery_id = ?', String(id));
    const [triedAt, outcome] = typeof last === 'string' ? last.split(' ') : [];
    return readKeyed<Delivery>(connection, DELIVERIES, where, { limit: 1 }).map((delivery) => ({
      ...delivery,
      attempts: Number(attempts),
      steps: Number(steps),
      isClaimed: outcome === 'claimed',
      ...(triedAt !== undefined && { triedAt }),
    }));
  });
}

/** Inside a transaction: how many went; what was tried goes with them. */
export function pruneDeliveries(connection: Connection, before: string): number {
  connection.run(
    `DELETE FROM delivery_attempt WHERE delivery_id IN (SELECT delivery_id FROM delivery WHERE at < ?1)
     OR (at < ?1 AND delivery_id NOT IN (SELECT delivery_id FROM delivery))`,
    [before],
  );
  return connection.run('DELETE FROM delivery WHERE at < ?', [before]).changes;
}
