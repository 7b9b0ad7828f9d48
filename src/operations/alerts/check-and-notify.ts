import { Outbox, type OutboxOptions } from '../deliveries/outbox.ts';
import type { Ports } from '../ports.ts';
import { type AlertSettings, alertTargets } from './alert-targets.ts';
import { announceAlerts } from './announce-alerts.ts';
import { type CheckedAlerts, checkAlerts } from './check-alerts.ts';

export type CheckAndNotifyRequest = {
  readonly settings: AlertSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onFailure?: OutboxOptions['onFailure'];
};

/** Evaluates the rules once and tries each delivery once: what a server does continuously, for people who run none. */
export async function checkAndNotify(
  { settings, environment, onFailure }: CheckAndNotifyRequest,
  ports: Ports,
): Promise<CheckedAlerts> {
  const targets = alertTargets({ settings, environment, now: ports.now });
  const outbox = new Outbox(targets, ports, onFailure ? { onFailure } : {});
  const checked = await checkAlerts(settings, ports);
  await announceAlerts({ targets: outbox.names, quiet: settings.quiet }, ports);
  await outbox.flush();
  return checked;
}
