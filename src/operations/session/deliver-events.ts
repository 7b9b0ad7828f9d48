/**
 * Delivers scored sessions to a webhook, an OpenTelemetry collector and scoring services. Deliveries are queued in the
 * store and stay there until they succeed (`Outbox`).
 */

import { sessionEvent } from '../../api/schema/session-event.ts';
import { encode } from '../../api/wire.ts';
import type { Json } from '../../store/store.ts';
import { isNew } from '../deliveries/is-new.ts';
import { Outbox, type OutboxOptions } from '../deliveries/outbox.ts';
import type { Ports } from '../ports.ts';
import { type DeliveryTargets, outboxName, sendersOf, TARGETS, type TargetName } from './delivery-targets.ts';
import type { SessionLiveEvent } from './session-event.ts';

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

  /** Milliseconds since 1970: what ended after that may not have been noted before the last end of the process. */
  async since(silenceMs: number): Promise<number | undefined> {
    const store = await this.#ports.store();
    const newest = this.#live.map((target) => store.readDeliveries({ target, order: 'newest', limit: 1 }));
    const last = (await Promise.all(newest)).flat().map(({ at }) => Date.parse(at));
    return last.length === 0 ? undefined : Math.max(...last) - silenceMs;
  }

  /** Resolves when it is stored. Live events that are too old are dropped. */
  async note(event: SessionLiveEvent): Promise<void> {
    if (event.type !== 'session.scored' || this.#live.length === 0) return;
    const store = await this.#ports.store();
    for (const target of this.#live) {
      const deliveryId = `${target} ${event.eventId}`;
      if ((await store.readDeliveries({ deliveryId, limit: 1 })).length > 0) continue;
      const body = encode(sessionEvent, event) as unknown as Json;
      const at = this.#ports.now().toISOString();
      const whose = event.project === undefined ? {} : { project: event.project };
      // Another server may note it in the same moment, dated by its own clock.
      await isNew(store.appendDeliveries([{ deliveryId, target, body, at, ...whose }]));
    }
    this.#outbox.wake();
  }

  /** Sends what an earlier process left first. */
  start(): void {
    this.#outbox.wake();
  }

  /** Unsent deliveries stay in the store. */
  stop(): Promise<void> {
    return this.#outbox.stop();
  }
}
