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

/** One look at the rules, and one try to tell who is to be told: what a server does all the time, for who runs none. */
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
