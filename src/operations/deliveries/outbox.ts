/**
 * Sends the deliveries that the store has queued, until they succeed. A process claims a delivery in the store before
 * it sends it, by a key that every process derives alike, so that only one sends. The claim of a dead process expires:
 * each delivery arrives at least once, with an id to detect duplicates.
 */
import type { Delivery, DeliveryAttempt, PendingDelivery, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { isNew } from './is-new.ts';

/** Throws when the delivery failed. The message is stored and logged, so it must quote no secret. */
export type SendDelivery = (delivery: Delivery, signal: AbortSignal) => Promise<void>;

/** The receiver rejected the delivery for good, so it is not retried. */
export class DeliveryRejected extends Error {}

/** Every known target name; targets without a sender are dropped. */
export type Targets = Readonly<Record<string, SendDelivery | undefined>>;

export type DeliveryFailure = {
  readonly target: string;
  readonly why: string;
  /** It was refused for good, and is not tried again. */
  readonly refused?: true;
};

export type OutboxOptions = {
  /** Called for each failed delivery. */
  readonly onFailure?: (failure: DeliveryFailure) => void;
  /** Milliseconds before the second try; each further one waits twice as long, up to an hour. */
  readonly firstMs?: number;
  /** Milliseconds for which a claim holds; longer than any try takes. */
  readonly claimMs?: number;
};

const FIRST_MS = 2000;
const MOST_MS = 3_600_000;
/** A try is given up after this, which is well before its claim is over. */
const TIME_MS = 20_000;
const CLAIM_MS = 60_000;
/** An address that answered nothing for so long is not asked any more. */
export const GIVE_UP_MS = 3 * 86_400_000;
/** How long sent deliveries are stored, so that a restart does not send them again. */
const SENT_RETENTION_MS = 30 * 86_400_000;
const TOGETHER = 100;

export class Outbox {
  readonly #targets: Targets;
  readonly #ports: Ports;
  readonly #options: OutboxOptions;
  readonly #stopped = new AbortController();
  /** Sent, but not yet stored as sent: a full disk must not send a delivery twice. */
  readonly #sent = new Set<string>();
  #working: Promise<unknown> = Promise.resolve();
  #wakes: NodeJS.Timeout | undefined;

  constructor(targets: Targets, ports: Ports, options: OutboxOptions = {}) {
    this.#targets = targets;
    this.#ports = ports;
    this.#options = options;
  }

  /** Names of the targets with a sender. */
  get names(): readonly string[] {
    return Object.keys(this.#targets).filter((name) => this.#targets[name] !== undefined);
  }

  /** Sends what an earlier process left first. Call it again when there is something new. */
  wake(): void {
    this.#wakeIn(0);
  }

  /** Tells what is due now, once, and resolves when that is done. */
  async flush(): Promise<void> {
    await this.#inTurn(() => this.#round());
  }

  /** Unsent deliveries stay in the store. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#wakes);
    await this.#working.catch(() => {});
  }

  /** After what is under way, however that ends. */
  #inTurn(work: () => Promise<unknown>): Promise<unknown> {
    this.#working = this.#working.then(work, work);
    return this.#working;
  }

  #wakeIn(ms: number): void {
    if (this.#stopped.signal.aborted) return;
    clearTimeout(this.#wakes);
    this.#wakes = setTimeout(() => {
      void this.#inTurn(() => this.#roundAndOn());
    }, ms);
    this.#wakes.unref();
  }

  async #roundAndOn(): Promise<void> {
    try {
      const next = await this.#round();
      if (Number.isFinite(next)) this.#wakeIn(Math.max(0, Math.min(next - this.#now(), MOST_MS)));
    } catch (error) {
      this.#options.onFailure?.({ target: 'store', why: String(error) });
      this.#wakeIn(FIRST_MS);
    }
  }

  /** When the next is due. */
  async #round(): Promise<number> {
    if (this.#stopped.signal.aborted) return Number.POSITIVE_INFINITY;
    const store = await this.#ports.store('looking');
    // Targets in parallel: one that hangs does not delay the others.
    const next = await Promise.all(Object.keys(this.#targets).map((target) => this.#roundOf(target, store)));
    await store.prune('deliveries', new Date(this.#now() - SENT_RETENTION_MS).toISOString());
    return Math.min(...next, Number.POSITIVE_INFINITY);
  }

  async #roundOf(target: string, store: Store): Promise<number> {
    let next = Number.POSITIVE_INFINITY;
    for (const one of await store.pendingDeliveries({ target, limit: TOGETHER })) {
      const [dueAt, now] = [this.#sent.has(one.deliveryId) ? 0 : this.#dueAt(one), this.#now()];
      if (dueAt <= now && !this.#stopped.signal.aborted) await this.#deliver(one, store);
      next = Math.min(next, dueAt <= now ? now + this.#firstMs : dueAt);
    }
    return next;
  }

  #now(): number {
    return this.#ports.now().getTime();
  }

  get #firstMs(): number {
    return this.#options.firstMs ?? FIRST_MS;
  }

  #dueAt({ attempts, triedAt, isClaimed }: PendingDelivery): number {
    if (triedAt === undefined) return 0;
    if (isClaimed) return Date.parse(triedAt) + (this.#options.claimMs ?? CLAIM_MS);
    const wait = Math.min(MOST_MS, this.#firstMs * 2 ** Math.min(attempts - 1, 30));
    // Half of the wait is jitter, so that deliveries that failed together do not return together; deterministic per
    // delivery.
    return Date.parse(triedAt) + wait * (0.5 + ((attempts * 0.618) % 1) / 2);
  }

  async #deliver(delivery: PendingDelivery, store: Store): Promise<void> {
    const { deliveryId, steps } = delivery;
    const append = (number: number, outcome: DeliveryAttempt['outcome'], why?: string) =>
      isNew(
        store.appendDeliveryAttempts([
          {
            attemptId: `${deliveryId} ${number}`,
            deliveryId,
            outcome,
            why,
            at: this.#ports.now().toISOString(),
          },
        ]),
      );
    if (this.#sent.has(deliveryId)) {
      if (await append(steps, 'delivered')) this.#sent.delete(deliveryId);
      return;
    }
    if (!(await append(steps, 'claimed', this.#ports.newId()))) return;
    const failure = await this.#send(delivery);
    const why = failure?.why;
    if (why === undefined) this.#sent.add(deliveryId);
    const isOver = failure?.forGood === true || this.#now() - Date.parse(delivery.at) > GIVE_UP_MS;
    if (why !== undefined && !this.#stopped.signal.aborted)
      this.#options.onFailure?.({
        target: delivery.target,
        why,
        ...(failure?.forGood === true && { refused: true }),
      });
    await append(steps + 1, why === undefined ? 'delivered' : isOver ? 'given up' : 'failed', why);
    this.#sent.delete(deliveryId);
  }

  /** Why it failed; undefined when it was sent. */
  async #send(delivery: Delivery): Promise<Failure | undefined> {
    const send = this.#targets[delivery.target];
    if (send === undefined) return { why: 'this target is no longer configured' };
    try {
      await send(delivery, AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(TIME_MS)]));
      return undefined;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return {
        why: cause instanceof Error ? cause.message : String(cause),
        forGood: error instanceof DeliveryRejected,
      };
    }
  }
}

type Failure = { readonly why: string; readonly forGood?: boolean };
