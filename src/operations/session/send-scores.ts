/** Sends stored sessions to other services; undelivered ones stay in the outbox. */
import { stopIfAborted } from '../../session/stop-if-aborted.ts';
import type { Json, Store } from '../../store/store.ts';
import { isNew } from '../deliveries/is-new.ts';
import { type DeliveryFailure, Outbox, type SendDelivery } from '../deliveries/outbox.ts';
import type { Ports } from '../ports.ts';
import { type DeliveryTargets, outboxName, sendersOf, TARGETS, type TargetName } from './delivery-targets.ts';
import { scoreFigures } from './score-targets.ts';
import { scoredEvent } from './scored-event.ts';
import { queryOf } from './selected-sessions.ts';
import type { SessionFilter } from './session-request.ts';

export type SentTo = {
  readonly target: TargetName;
  readonly sent: number;
  /** Unchanged since they were sent, so not sent again. */
  readonly sentBefore: number;
  /** Rejected for good, and not retried. */
  readonly refused: number;
  /** Pending. */
  readonly waiting: number;
  /** The reason for the last failure. */
  readonly why?: string;
};

/** The result of sending scores. */
export type SentScores = {
  /** Stored sessions among the requested ones. */
  readonly sessions: number;
  /** Without a Q and without an outcome: nothing is sent for them. */
  readonly unmeasured: number;
  readonly targets: readonly SentTo[];
};

export type SendScoresRequest = {
  readonly targets: DeliveryTargets;
  readonly filter: SessionFilter;
  /** Also resend what was sent before. */
  readonly again?: boolean;
};

export async function sendScores(
  { targets, filter, again = false }: SendScoresRequest,
  ports: Ports,
): Promise<SentScores> {
  const ways = sendersOf(targets, ports);
  const store = await ports.store();
  const tallies = TARGETS.filter((target) => ways[target] !== undefined).map(
    (target): Tally => ({
      target,
      name: outboxName(target, targets),
      queuedBefore: new Set(),
      taken: new Set(),
      refused: 0,
    }),
  );
  let [sessions, unmeasured] = [0, 0];
  for await (const row of store.readSessions({ ...queryOf(filter), withoutFacts: true })) {
    stopIfAborted(ports.signal);
    sessions += 1;
    const event = scoredEvent(row);
    if (scoreFigures(event).length === 0) {
      unmeasured += 1;
      continue;
    }
    const whose = row.project === undefined ? {} : { project: row.project };
    for (const tally of tallies) {
      const deliveryId = await idFor(tally, event.event_id, store, again ? ports.newId() : undefined);
      if (deliveryId === undefined) continue;
      const at = ports.now().toISOString();
      const body = event as unknown as Json;
      await isNew(store.appendDeliveries([{ deliveryId, target: tally.name, body, at, ...whose }]));
    }
    ports.progress({ what: 'Noting', done: sessions, unit: 'sessions' });
  }
  await Promise.all(tallies.map((tally) => sendAll(tally, ways[tally.target], ports)));
  const sent: SentTo[] = [];
  for (const tally of tallies) sent.push(await resultOf(tally, store));
  return { sessions, unmeasured, targets: sent };
}

/** The state of one target. */
type Tally = {
  readonly target: TargetName;
  /** The name of its outbox in the store. */
  readonly name: string;
  readonly queuedBefore: Set<string>;
  readonly taken: Set<string>;
  refused: number;
  why?: string;
};

/** Undefined if it was queued before, by the end of the session or an earlier call. */
async function idFor(
  { name, target, queuedBefore }: Tally,
  eventId: string,
  store: Store,
  anew: string | undefined,
): Promise<string | undefined> {
  const id = `${name} ${eventId}`;
  if (anew !== undefined) return `${id} ${anew}`;
  for (const deliveryId of [id, `${target} ${eventId}`])
    if ((await store.readDeliveries({ deliveryId, limit: 1 })).length > 0) {
      queuedBefore.add(deliveryId);
      return undefined;
    }
  return id;
}

async function resultOf(
  { target, name, queuedBefore, taken, refused, why }: Tally,
  store: Store,
): Promise<SentTo> {
  return {
    target,
    sent: taken.size,
    sentBefore: [...queuedBefore].filter((id) => !taken.has(id)).length,
    refused,
    waiting: (await store.pendingDeliveries({ target: name })).length,
    ...(why !== undefined && { why }),
  };
}

/** Round after round, until nothing is left or the target does not accept more. */
async function sendAll(tally: Tally, send: SendDelivery | undefined, ports: Ports): Promise<void> {
  const counted: SendDelivery = async (delivery, signal) => {
    await send?.(delivery, signal);
    tally.taken.add(delivery.deliveryId);
    ports.progress({ what: `Telling ${tally.target}`, done: tally.taken.size, unit: 'sessions' });
  };
  const onFailure = ({ why, refused }: DeliveryFailure) => {
    tally.why = why;
    if (refused) tally.refused += 1;
    // A target that does not answer is not tried for each of thousands.
    else void outbox.stop();
  };
  // A manual send retries now, however recent the last failure.
  const outbox = new Outbox({ [tally.name]: counted }, ports, { onFailure, firstMs: 0 });
  const done = () => tally.taken.size + tally.refused;
  try {
    for (let before = -1; before < done(); ) {
      stopIfAborted(ports.signal);
      before = done();
      await outbox.flush();
    }
  } finally {
    await outbox.stop();
  }
}
