/**
 * Tells others of sessions that were scored: a webhook, and a collector of OpenTelemetry. What is to be told is in the store
 * first, and stays there until it was told (`Outbox`).
 */
import { encodeSessionEvent, type SessionEventWire } from '../../api/encode/session-event.ts';
import { AssayError } from '../../errors.ts';
import type { SessionLiveEvent } from '../../session/results.ts';
import type { Delivery, Json } from '../../store/store.ts';
import { Outbox, type OutboxOptions, type SendDelivery } from '../deliveries/outbox.ts';
import { postJson, signed } from '../deliveries/post-json.ts';
import { refusePassword } from '../deliveries/target-settings.ts';
import type { Ports } from '../ports.ts';
import { evaluationRequest } from './evaluation-result.ts';

export type DeliveryTargets = {
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
  /** A collector: its address without `/v1/logs`, and what it wants to be sent beside. */
  readonly evaluations?:
    | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | undefined;
};

export class EventDeliveries {
  readonly #ports: Ports;
  readonly #outbox: Outbox;

  constructor(targets: DeliveryTargets, ports: Ports, options: OutboxOptions = {}) {
    this.#ports = ports;
    const ways = { webhook: toWebhook(targets, ports), evaluations: toCollector(targets) };
    this.#outbox = new Outbox(ways, ports, options);
  }

  /** Milliseconds since 1970: what ended after that may not have been noted before the last end of the process. */
  async since(silenceMs: number): Promise<number | undefined> {
    const store = await this.#ports.store();
    const newest = this.#outbox.names.map((target) =>
      store.readDeliveries({ target, order: 'newest', limit: 1 }),
    );
    const last = (await Promise.all(newest)).flat().map(({ at }) => Date.parse(at));
    return last.length === 0 ? undefined : Math.max(...last) - silenceMs;
  }

  /** Resolves when the store has it. Only what is worth something now is told. */
  async note(event: SessionLiveEvent): Promise<void> {
    if (event.type !== 'session.scored' || this.#outbox.names.length === 0) return;
    const store = await this.#ports.store();
    for (const target of this.#outbox.names) {
      const deliveryId = `${target} ${event.eventId}`;
      if ((await store.readDeliveries({ deliveryId, limit: 1 })).length > 0) continue;
      const body = encodeSessionEvent(event) as unknown as Json;
      const at = this.#ports.now().toISOString();
      const whose = event.project === undefined ? {} : { project: event.project };
      await store.appendDeliveries([{ deliveryId, target, body, at, ...whose }]);
    }
    this.#outbox.wake();
  }

  /** What an earlier process left is told first. */
  start(): void {
    this.#outbox.wake();
  }

  /** What was not told stays in the store. */
  stop(): Promise<void> {
    return this.#outbox.stop();
  }
}

const eventIn = ({ body }: Delivery) => body as unknown as SessionEventWire;

function toWebhook({ webhook }: DeliveryTargets, { now }: Ports): SendDelivery | undefined {
  if (webhook === undefined) return undefined;
  return (delivery, signal) => {
    const text = JSON.stringify(eventIn(delivery));
    const headers = signed(eventIn(delivery).event_id, now(), text, webhook.secret);
    return postJson(webhook.url, text, headers, signal);
  };
}

function toCollector({ evaluations }: DeliveryTargets): SendDelivery | undefined {
  if (evaluations === undefined) return undefined;
  const url = `${evaluations.url.replace(/\/$/, '')}/v1/logs`;
  return (delivery, signal) =>
    postJson(url, JSON.stringify(evaluationRequest(eventIn(delivery))), evaluations.headers, signal);
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
