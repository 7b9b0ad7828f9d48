/** The targets that alerts are delivered to, and how each of them is sent. */
import type { AlertEventWire } from '../../api/schema/alert.ts';
import type { Config } from '../../config.ts';
import type { Delivery } from '../../store/store.ts';
import type { Targets } from '../deliveries/outbox.ts';
import { postJson, signed } from '../deliveries/post-json.ts';
import {
  refusePassword,
  secretAddressOf,
  secretOf,
  type TargetEnvironment,
} from '../deliveries/target-settings.ts';
import { sendAlertMail } from './alert-mail.ts';
import { slackMessage } from './slack-message.ts';

export type AlertSettings = Config['alerts'];

export type AlertTargetChoices = {
  readonly settings: AlertSettings;
  readonly environment: TargetEnvironment;
  readonly now: () => Date;
  /** Where the log target writes; without it there is no log target. */
  readonly log?: (event: AlertEventWire) => void;
};

const WEB = ['https:', 'http:'];
const MAIL = ['smtp:', 'smtps:'];

const eventIn = ({ body }: Delivery) => body as unknown as AlertEventWire;

/**
 * Refuses settings that name a variable without a value or without an address. Otherwise the mistake would show only
 * when an alert fires.
 */
export function alertTargets({ settings, environment, now, log }: AlertTargetChoices): Targets {
  return {
    // Not named by a program without a log: what is for the log waits for one.
    ...(log && { 'alerts.log': async (delivery: Delivery) => log(eventIn(delivery)) }),
    'alerts.webhook': webhookOf(settings, environment, now),
    'alerts.slack': slackOf(settings, environment),
    'alerts.email': emailOf(settings, environment),
  };
}

function webhookOf(
  { webhook, webhookSecret }: AlertSettings,
  environment: TargetEnvironment,
  now: () => Date,
) {
  if (webhook === '') return undefined;
  refusePassword('alerts.webhook', webhook);
  const secret = secretOf('alerts.webhookSecret', webhookSecret, environment);
  return (delivery: Delivery, signal: AbortSignal) => {
    const text = JSON.stringify(delivery.body);
    return postJson(webhook, text, signed(eventIn(delivery).event_id, now(), text, secret), signal);
  };
}

function slackOf({ slack }: AlertSettings, environment: TargetEnvironment) {
  if (slack === '') return undefined;
  const url = secretAddressOf('alerts.slack', { variable: slack, schemes: WEB }, environment);
  return (delivery: Delivery, signal: AbortSignal) =>
    postJson(url, JSON.stringify(slackMessage(eventIn(delivery))), {}, signal);
}

function emailOf({ email }: AlertSettings, environment: TargetEnvironment) {
  if (email.to.length === 0) return undefined;
  const { to, from } = email;
  const server = secretAddressOf('alerts.email.smtp', { variable: email.smtp, schemes: MAIL }, environment);
  return (delivery: Delivery, signal: AbortSignal) =>
    sendAlertMail(eventIn(delivery), { to, from, server }, signal);
}
