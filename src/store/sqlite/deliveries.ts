import type { Delivery, PendingDelivery } from '../store.ts';
import type { Connection } from './connection.ts';
import { DELIVERIES, readKeyed } from './keyed-records.ts';
import { Where } from './table.ts';

const OPEN = `
  SELECT delivery_id,
    (SELECT count(*) FROM delivery_attempt AS tried WHERE tried.delivery_id = delivery.delivery_id),
    (SELECT max(at) FROM delivery_attempt AS tried WHERE tried.delivery_id = delivery.delivery_id)
  FROM delivery
  WHERE NOT EXISTS (
    SELECT 1 FROM delivery_attempt AS done
    WHERE done.delivery_id = delivery.delivery_id AND done.outcome <> 'failed'
  )
  ORDER BY at, delivery_id LIMIT ?
`;

/** Inside a transaction, so that both questions are about the same moment. */
export function pendingDeliveries(connection: Connection, limit: number): PendingDelivery[] {
  return connection.all(OPEN, [limit]).flatMap(([id, attempts, triedAt]) => {
    const where = new Where().and('delivery_id = ?', String(id));
    return readKeyed<Delivery>(connection, DELIVERIES, where, { limit: 1 }).map((delivery) => ({
      ...delivery,
      attempts: Number(attempts),
      ...(typeof triedAt === 'string' && { triedAt }),
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
