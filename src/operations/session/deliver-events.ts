/**
 * Tells others of sessions that were scored: a webhook, and a collector of OpenTelemetry. What is to be told is in the store
 * first, and stays there until it was told: each is told at least once, with an id by which a second time can be known.
 */
import { createHmac } from 'node:crypto';
import { encodeSessionEvent, type SessionEventWire } from '../../api/encode/session-event.ts';
import { AssayError } from '../../errors.ts';
import { backoffMs } from '../../model/backoff.ts';
import type { SessionLiveEvent } from '../../session/results.ts';
import type { Delivery, Json, PendingDelivery } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { evaluationRequest } from './evaluation-result.ts';

export type DeliveryTargets = {
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
  /** A collector: its address without `/v1/logs`, and what it wants to be sent beside. */
  readonly evaluations?:
    | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | undefined;
};

type Target = keyof DeliveryTargets;

export type DeliveryOptions = {
  /** Told of what could not be told. */
  readonly onFailure?: (failure: { readonly target: string; readonly why: string }) => void;
  /** Milliseconds before the second try; each further one waits twice as long, up to an hour. */
  readonly firstMs?: number;
};

const FIRST_MS = 2000;
const MOST_MS = 3_600_000;
/** An address that answered nothing for so long is not asked any more. */
const GIVE_UP_MS = 3 * 86_400_000;
/** What was told is remembered so long, so that it is not told again after a restart. */
const REMEMBERED_MS = 30 * 86_400_000;
const TIME_MS = 10_000;
const TOGETHER = 100;

export class EventDeliveries {
  readonly #targets: DeliveryTargets;
  readonly #ports: Ports;
  readonly #options: DeliveryOptions;
  readonly #stopped = new AbortController();
  #working: Promise<void> = Promise.resolve();
  #wakes: NodeJS.Timeout | undefined;

  constructor(targets: DeliveryTargets, ports: Ports, options: DeliveryOptions = {}) {
    this.#targets = targets;
    this.#ports = ports;
    this.#options = options;
  }

  get #names(): readonly Target[] {
    return (['webhook', 'evaluations'] as const).filter((name) => this.#targets[name] !== undefined);
  }

  /** Milliseconds since 1970: what ended after that may not have been noted before the last end of the process. */
  async since(silenceMs: number): Promise<number | undefined> {
    if (this.#names.length === 0) return undefined;
    const store = await this.#ports.store();
    const [last] = await store.readDeliveries({ order: 'newest', limit: 1 });
    return last === undefined ? undefined : Date.parse(last.at) - silenceMs;
  }

  /** Resolves when the store has it. Only what is worth something now is told. */
  async note(event: SessionLiveEvent): Promise<void> {
    if (event.type !== 'session.scored' || this.#names.length === 0) return;
    const store = await this.#ports.store();
    for (const target of this.#names) {
      const deliveryId = `${target} ${event.eventId}`;
      if ((await store.readDeliveries({ deliveryId, limit: 1 })).length > 0) continue;
      const body = encodeSessionEvent(event) as unknown as Json;
      await store.appendDeliveries([{ deliveryId, target, body, at: this.#ports.now().toISOString() }]);
    }
    this.#wakeIn(0);
  }

  /** What an earlier process left is told first. */
  start(): void {
    this.#wakeIn(0);
  }

  /** What was not told stays in the store. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#wakes);
    await this.#working;
  }

  #wakeIn(ms: number): void {
    if (this.#stopped.signal.aborted) return;
    clearTimeout(this.#wakes);
    this.#wakes = setTimeout(() => {
      this.#working = this.#working
        .then(() => this.#round())
        .catch((error) => {
          this.#options.onFailure?.({ target: 'store', why: String(error) });
          this.#wakeIn(FIRST_MS);
        });
    }, ms);
    this.#wakes.unref();
  }

  async #round(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const store = await this.#ports.store();
    const now = this.#now();
    const pending = await store.pendingDeliveries(TOGETHER);
    let next = Number.POSITIVE_INFINITY;
    for (const one of pending) {
      const dueAt = this.#dueAt(one);
      if (dueAt <= now) await this.#deliver(one);
      next = Math.min(next, dueAt <= now ? now + (this.#options.firstMs ?? FIRST_MS) : dueAt);
    }
    await store.prune('deliveries', new Date(now - REMEMBERED_MS).toISOString());
    if (Number.isFinite(next)) this.#wakeIn(Math.max(0, Math.min(next - this.#now(), MOST_MS)));
  }

  #now(): number {
    return this.#ports.now().getTime();
  }

  #dueAt({ attempts, triedAt }: PendingDelivery): number {
    if (triedAt === undefined) return 0;
    const first = this.#options.firstMs ?? FIRST_MS;
    // Half of it is chance: the same one for the same try, whenever it is asked.
    const wait = Math.min(MOST_MS, first * 2 ** Math.min(attempts - 1, 30));
    return Date.parse(triedAt) + Math.min(wait, backoffMs(1, wait, 0, (attempts * 0.618) % 1));
  }

  async #deliver(delivery: PendingDelivery): Promise<void> {
    const why = await this.#send(delivery);
    if (this.#stopped.signal.aborted && why !== undefined) return;
    const isOver = why !== undefined && this.#now() - Date.parse(delivery.at) > GIVE_UP_MS;
    if (why !== undefined) this.#options.onFailure?.({ target: delivery.target, why });
    await (await this.#ports.store()).appendDeliveryAttempts([
      {
        attemptId: this.#ports.newId(),
        deliveryId: delivery.deliveryId,
        outcome: why === undefined ? 'delivered' : isOver ? 'given up' : 'failed',
        ...(why === undefined ? {} : { why }),
        at: this.#ports.now().toISOString(),
      },
    ]);
  }

  /** Why it could not be told; undefined when it was. */
  async #send(delivery: Delivery): Promise<string | undefined> {
    const request = this.#requestOf(delivery);
    if (request === undefined) return 'nobody is to be told any more';
    try {
      const answer = await fetch(request.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...request.headers },
        body: request.body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(TIME_MS)]),
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : `it was answered with ${answer.status}`;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return cause instanceof Error ? cause.message : String(cause);
    }
  }

  #requestOf({
    target,
    body,
  }: Delivery): { url: string; headers: Readonly<Record<string, string>>; body: string } | undefined {
    const { webhook, evaluations } = this.#targets;
    const event = body as unknown as SessionEventWire;
    if (target === 'webhook' && webhook !== undefined) {
      const text = JSON.stringify(event);
      const seconds = String(Math.floor(this.#now() / 1000));
      return {
        url: webhook.url,
        headers: signed(event.event_id, seconds, text, webhook.secret),
        body: text,
      };
    }
    if (target !== 'evaluations' || evaluations === undefined) return undefined;
    const url = `${evaluations.url.replace(/\/$/, '')}/v1/logs`;
    return { url, headers: evaluations.headers, body: JSON.stringify(evaluationRequest(event)) };
  }
}

/** Whoever has the secret can tell that it comes from here, which event it is, and when it was sent. */
function signed(id: string, seconds: string, body: string, secret: string): Readonly<Record<string, string>> {
  const sum = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${sum}` };
}

/** What the configuration and the environment say; a webhook without a secret is refused. */
export function deliveryTargets(
  {
    webhook,
    webhookSecret,
    evaluations,
  }: Readonly<Record<'webhook' | 'webhookSecret' | 'evaluations', string>>,
  environment: Readonly<Record<string, string | undefined>>,
): DeliveryTargets {
  refusePassword('session.webhook', webhook);
  refusePassword('session.evaluations', evaluations);
  const secret = environment[webhookSecret] ?? '';
  if (webhook !== '' && secret === '')
    throw new AssayError(
      'CONFIG_INVALID',
      `session.webhook is signed, and the variable ${webhookSecret} has no secret`,
      { remedy: `Set ${webhookSecret}, or name another variable as session.webhookSecret.` },
    );
  return {
    ...(webhook !== '' && { webhook: { url: webhook, secret } }),
    ...(evaluations !== '' && {
      evaluations: { url: evaluations, headers: headersIn(environment.OTEL_EXPORTER_OTLP_HEADERS ?? '') },
    }),
  };
}

/** It could not be sent to, and why not would quote the password in the log and in the store. */
function refusePassword(setting: string, address: string): void {
  if (address === '' || userIn(address) === '') return;
  throw new AssayError('CONFIG_INVALID', `${setting} holds a name or password`, {
    remedy: 'Give the address without it.',
  });
}

function userIn(address: string): string {
  const { username, password } = new URL(address);
  return username + password;
}

/** `name=value,name=value`, the values as in an address. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]] : [];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
