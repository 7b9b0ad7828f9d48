/** The targets that scored sessions are delivered to, and how each of them is sent. */
import { createHash } from 'node:crypto';
import type { SessionEventWire } from '../../api/schema/session-event.ts';
import { AssayError } from '../../errors.ts';
import type { Delivery } from '../../store/store.ts';
import type { SendDelivery } from '../deliveries/outbox.ts';
import { postJson, signed } from '../deliveries/post-json.ts';
import { refusePassword, type TargetEnvironment } from '../deliveries/target-settings.ts';
import type { Ports } from '../ports.ts';
import {
  evaluationRequest,
  type LangfuseAccess,
  type PhoenixAccess,
  sendToLangfuse,
  sendToPhoenix,
} from './score-targets.ts';
import { currentEvent } from './scored-event.ts';

export const TARGETS = ['webhook', 'evaluations', 'langfuse', 'phoenix'] as const;

export type TargetName = (typeof TARGETS)[number];

export type DeliveryTargets = {
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
  /** A collector: its address without `/v1/logs`, and its headers. */
  readonly evaluations?:
    | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | undefined;
  readonly langfuse?: LangfuseAccess | undefined;
  readonly phoenix?: PhoenixAccess | undefined;
};

export type DeliverySettings = Readonly<Record<TargetName | 'webhookSecret', string>>;

/** Targets from the configuration and the environment; refuses one whose secret is missing. */
export function deliveryTargets(
  { webhook, webhookSecret, evaluations, langfuse, phoenix }: DeliverySettings,
  environment: TargetEnvironment,
): DeliveryTargets {
  refusePassword('session.webhook', webhook);
  refusePassword('session.evaluations', evaluations);
  refusePassword('session.langfuse', langfuse);
  refusePassword('session.phoenix', phoenix);
  const secret = environment[webhookSecret] ?? '';
  if (webhook !== '' && secret === '')
    throw new AssayError(
      'CONFIG_INVALID',
      `session.webhook is signed, but the variable ${webhookSecret} has no secret`,
      { remedy: `Set ${webhookSecret}, or name another variable as session.webhookSecret.` },
    );
  return {
    ...(webhook !== '' && { webhook: { url: webhook, secret } }),
    ...(evaluations !== '' && {
      evaluations: { url: evaluations, headers: headersIn(environment.OTEL_EXPORTER_OTLP_HEADERS ?? '') },
    }),
    ...(langfuse !== '' && { langfuse: { url: langfuse, ...langfuseKeys(environment) } }),
    ...(phoenix !== '' && { phoenix: { url: phoenix, key: environment.PHOENIX_API_KEY || undefined } }),
  };
}

function langfuseKeys(environment: TargetEnvironment): Omit<LangfuseAccess, 'url'> {
  const [publicKey = '', secretKey = ''] = [environment.LANGFUSE_PUBLIC_KEY, environment.LANGFUSE_SECRET_KEY];
  if (publicKey === '' || secretKey === '')
    throw new AssayError(
      'CONFIG_INVALID',
      `Langfuse delivery is configured, but ${publicKey === '' ? 'LANGFUSE_PUBLIC_KEY' : 'LANGFUSE_SECRET_KEY'} is not set`,
      {
        remedy:
          'Set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY; the settings of the Langfuse project have both.',
      },
    );
  return { publicKey, secretKey };
}

/**
 * A manual send has an outbox of its own, named after its destination: one store may serve several addresses and
 * accounts, and deliveries for one must not reach another. The name does not reveal the keys in it.
 */
export function outboxName(target: TargetName, targets: DeliveryTargets): string {
  const { webhook, evaluations, langfuse, phoenix } = targets;
  const leads: Readonly<Record<TargetName, unknown>> = {
    webhook: webhook?.url,
    evaluations,
    langfuse: [langfuse?.url, langfuse?.publicKey],
    phoenix,
  };
  const hash = createHash('sha256').update(JSON.stringify(leads[target] ?? null));
  return `${target}.manual.${hash.digest('hex').slice(0, 16)}`;
}

const eventIn = ({ body }: Delivery) => body as unknown as SessionEventWire;

/** The sender of each target; absent without settings. */
export function sendersOf(
  targets: DeliveryTargets,
  ports: Ports,
): Readonly<Record<TargetName, SendDelivery | undefined>> {
  const { langfuse, phoenix } = targets;
  const now = (delivery: Delivery) => currentEvent(eventIn(delivery), ports);
  return {
    webhook: toWebhook(targets, ports),
    evaluations: toCollector(targets),
    langfuse: langfuse && (async (one, signal) => sendToLangfuse(langfuse, await now(one), signal)),
    phoenix: phoenix && (async (one, signal) => sendToPhoenix(phoenix, await now(one), signal)),
  };
}

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

/** `name=value,name=value`, with URL-encoded values. */
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
