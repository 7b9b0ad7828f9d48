/** Tells others of sessions that are in the store already; what they did not take stays to be sent. */
import type { SentScores, SentTo } from '../../session/results.ts';
import { stopIfAborted } from '../../session/stop-if-aborted.ts';
import type { Delivery, Json, Store } from '../../store/store.ts';
import { isNew } from '../deliveries/is-new.ts';
import { type DeliveryFailure, Outbox, type SendDelivery } from '../deliveries/outbox.ts';
import type { Ports } from '../ports.ts';
import { type DeliveryTargets, keptName, TARGETS, type TargetName, waysToTell } from './delivery-targets.ts';
import { scoreFigures } from './score-targets.ts';
import { queryOf } from './selected-sessions.ts';
import { keptEvent } from './session-event.ts';
import type { SessionFilter } from './session-request.ts';

export type SendScoresRequest = {
  readonly targets: DeliveryTargets;
  readonly filter: SessionFilter;
  /** Also what was sent before. */
  readonly again?: boolean;
};

export async function sendScores(
  { targets, filter, again = false }: SendScoresRequest,
  ports: Ports,
): Promise<SentScores> {
  const ways = waysToTell(targets, ports);
  const names = TARGETS.filter((target) => ways[target] !== undefined);
  const store = await ports.store();
  const tallies = new Map(names.map((name) => [name, new Tally(name, keptName(name, targets))]));
  let [sessions, unmeasured] = [0, 0];
  for await (const row of store.readSessions({ ...queryOf(filter), withoutFacts: true })) {
    stopIfAborted(ports.signal);
    sessions += 1;
    const event = keptEvent(row);
    if (scoreFigures(event).length === 0) {
      unmeasured += 1;
      continue;
    }
    const whose = row.project === undefined ? {} : { project: row.project };
    for (const tally of tallies.values()) {
      const deliveryId = await tally.idFor(event.event_id, store, again ? ports.newId() : undefined);
      if (deliveryId === undefined) continue;
      const at = ports.now().toISOString();
      const body = event as unknown as Json;
      await isNew(store.appendDeliveries([{ deliveryId, target: tally.name, body, at, ...whose }]));
    }
    ports.progress({ what: 'Noting', done: sessions, unit: 'sessions' });
  }
  await tell(tallies, ways, ports);
  const sent: SentTo[] = [];
  for (const tally of tallies.values()) sent.push(await tally.result(store));
  return { sessions, unmeasured, targets: sent };
}

/** What became of it at one of those who are told. */
class Tally {
  readonly target: TargetName;
  /** By which the store has what is to be told it. */
  readonly name: string;
  readonly #knownBefore = new Set<string>();
  readonly #taken = new Set<string>();
  #refused = 0;
  #why: string | undefined;

  constructor(target: TargetName, name: string) {
    this.target = target;
    this.name = name;
  }

  /** Undefined where it was noted before, by whoever ended the session or by an earlier call. */
  async idFor(eventId: string, store: Store, anew: string | undefined): Promise<string | undefined> {
    const id = `${this.name} ${eventId}`;
    if (anew !== undefined) return `${id} ${anew}`;
    for (const deliveryId of [id, `${this.target} ${eventId}`])
      if ((await store.readDeliveries({ deliveryId, limit: 1 })).length > 0) {
        this.#knownBefore.add(deliveryId);
        return undefined;
      }
    return id;
  }

  take({ deliveryId }: Delivery): void {
    this.#taken.add(deliveryId);
  }

  get taken(): number {
    return this.#taken.size;
  }

  fail({ why, refused }: DeliveryFailure): void {
    if (refused) this.#refused += 1;
    this.#why = why;
  }

  get refused(): number {
    return this.#refused;
  }

  async result(store: Store): Promise<SentTo> {
    const waiting = (await store.pendingDeliveries({ target: this.name })).length;
    return {
      target: this.target,
      sent: this.#taken.size,
      sentBefore: [...this.#knownBefore].filter((id) => !this.#taken.has(id)).length,
      refused: this.#refused,
      waiting,
      ...(this.#why !== undefined && { why: this.#why }),
    };
  }
}

/** Round after round, until there is nothing left or somebody cannot be told anything at the moment. */
async function tell(
  tallies: ReadonlyMap<TargetName, Tally>,
  ways: Readonly<Record<TargetName, SendDelivery | undefined>>,
  ports: Ports,
): Promise<void> {
  const all = [...tallies.values()];
  await Promise.all(all.map((tally) => tellOne(tally, ways[tally.target], ports)));
}

async function tellOne(tally: Tally, send: SendDelivery | undefined, ports: Ports): Promise<void> {
  const counted: SendDelivery = async (delivery, signal) => {
    await send?.(delivery, signal);
    tally.take(delivery);
    ports.progress({ what: `Telling ${tally.target}`, done: tally.taken, unit: 'sessions' });
  };
  const onFailure = (failure: DeliveryFailure) => {
    tally.fail(failure);
    // Who does not answer is not asked for each of thousands.
    if (!failure.refused) void outbox.stop();
  };
  // Whoever calls wants it tried now, however lately it failed.
  const outbox = new Outbox({ [tally.name]: counted }, ports, { onFailure, firstMs: 0 });
  try {
    for (let before = -1; before < tally.taken + tally.refused; ) {
      stopIfAborted(ports.signal);
      before = tally.taken + tally.refused;
      await outbox.flush();
    }
  } finally {
    await outbox.stop();
  }
}
