/**
 * Delivers scored sessions to a webhook, an OpenTelemetry collector and scoring services. Deliveries are queued in the
 * store and stay there until they succeed (`Outbox`).
 */
import { Outbox, type OutboxOptions } from '../deliveries/outbox.ts';
import type { Ports } from '../ports.ts';
import { type DeliveryTargets, outboxName, sendersOf, TARGETS, type TargetName } from './delivery-targets.ts';

/** Records that a server has started. */
const BEGUN = 'begun';
/** Sessions that ended together may be stored only in part. Ids show which were delivered. */
const SLACK_MS = 3_600_000;

export class EventDeliveries {
  readonly #ports: Ports;
  readonly #outbox: Outbox;
  /** Targets of live events. */
  readonly #live: readonly TargetName[];

  constructor(targets: DeliveryTargets, ports: Ports, options: OutboxOptions = {}) {
    this.#ports = ports;
    const ways = sendersOf(targets, ports);
    this.#live = TARGETS.filter((target) => ways[target] !== undefined);
    // The last manual delivery says nothing about sessions that ended since, so `since` uses only live events.
    const queues = this.#live.map((target) => [outboxName(target, targets), ways[target]] as const);
    this.#outbox = new Outbox({ ...ways, ...Object.fromEntries(queues) }, ports, options);
  }

  /** The targets for each ended session. */
  get targets(): readonly string[] {
    return this.#live;
  }

  /** Milliseconds since 1970: sessions that ended later may not have been published by the last process. */
  async since(silenceMs: number): Promise<number | undefined> {
    const store = await this.#ports.store();
    const newest = [BEGUN, ...this.#live].map((target) =>
      store.readDeliveries({ target, order: 'newest', limit: 1 }),
    );
    const last = (await Promise.all(newest)).flat().map(({ at }) => Date.parse(at));
    // Sessions that ended before the first start are not delivered.
    if (last.length === 0) await this.begun();
    return last.length === 0 ? undefined : Math.max(...last) - silenceMs - SLACK_MS;
  }

  /** Everything that ended before is published. This is recorded even in a store without deliveries. */
  async begun(): Promise<void> {
    const at = this.#ports.now().toISOString();
    const deliveryId = `${BEGUN} ${this.#ports.newId()}`;
    const store = await this.#ports.store();
    // The attempt comes first, so that it is never taken for a pending delivery.
    const attemptId = `${deliveryId} 0`;
    await store.appendDeliveryAttempts([{ attemptId, deliveryId, outcome: 'delivered', at }]);
    await store.appendDeliveries([{ deliveryId, target: BEGUN, body: {}, at }]);
  }

  /** Sends pending deliveries: at the start those of an earlier process, later new ones. */
  wake(): void {
    this.#outbox.wake();
  }

  /** Unsent deliveries stay in the store. */
  stop(): Promise<void> {
    return this.#outbox.stop();
  }
}
