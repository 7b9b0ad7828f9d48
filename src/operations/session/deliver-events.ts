/**
 * Delivers scored sessions to a webhook, an OpenTelemetry collector and scoring services. Deliveries are queued in the
 * store and stay there until they succeed (`Outbox`).
 */
import { Outbox, type OutboxOptions } from '../deliveries/outbox.ts';
import type { Ports } from '../ports.ts';
import { type DeliveryTargets, outboxName, sendersOf, TARGETS, type TargetName } from './delivery-targets.ts';

/** Notes that a server has begun. */
const BEGUN = 'begun';
/** Several sessions that ended together may have been stored in part. What was delivered is known by its id. */
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
    // The time of the last delivery says nothing about sessions that ended since: only live events use it.
    const queues = this.#live.map((target) => [outboxName(target, targets), ways[target]] as const);
    this.#outbox = new Outbox({ ...ways, ...Object.fromEntries(queues) }, ports, options);
  }

  /** Who is told of each session that has ended. */
  get targets(): readonly string[] {
    return this.#live;
  }

  /** Milliseconds since 1970: what ended after that may not have been published before the last process ended. */
  async since(silenceMs: number): Promise<number | undefined> {
    const store = await this.#ports.store();
    const newest = [BEGUN, ...this.#live].map((target) =>
      store.readDeliveries({ target, order: 'newest', limit: 1 }),
    );
    const last = (await Promise.all(newest)).flat().map(({ at }) => Date.parse(at));
    // What ended before the first start is history.
    if (last.length === 0) await this.begun();
    return last.length === 0 ? undefined : Math.max(...last) - silenceMs - SLACK_MS;
  }

  /** All that ended before is published: a store without deliveries says so as well. */
  async begun(): Promise<void> {
    const at = this.#ports.now().toISOString();
    const deliveryId = `${BEGUN} ${this.#ports.newId()}`;
    const store = await this.#ports.store();
    // The attempt first: nobody is to take it for one that is pending.
    const attemptId = `${deliveryId} 0`;
    await store.appendDeliveryAttempts([{ attemptId, deliveryId, outcome: 'delivered', at }]);
    await store.appendDeliveries([{ deliveryId, target: BEGUN, body: {}, at }]);
  }

  /** What is pending is sent: at the start what an earlier process left, and again when there is more. */
  wake(): void {
    this.#outbox.wake();
  }

  /** Unsent deliveries stay in the store. */
  stop(): Promise<void> {
    return this.#outbox.stop();
  }
}
