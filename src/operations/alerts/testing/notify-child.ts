/** Checks and notifies all the time, as a process that a test can kill: `node notify-child.ts STORE WEBHOOK CLAIM_MS`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { configSchema } from '../../../config.ts';
import { defaultPorts } from '../../default-ports.ts';
import { Outbox } from '../../deliveries/outbox.ts';
import { alertTargets } from '../alert-targets.ts';
import { announceAlerts } from '../announce-alerts.ts';
import { checkAlerts } from '../check-alerts.ts';

const [store = '', webhook = '', claimMs = ''] = process.argv.slice(2);
const ports = defaultPorts({ store });
const targets = alertTargets({
  settings: configSchema.parse({ alerts: { webhook } }).alerts,
  environment: { ASSAY_WEBHOOK_SECRET: 'a secret of two' },
  now: ports.now,
});
const outbox = new Outbox(targets, ports, { firstMs: 50, claimMs: Number(claimMs) });
await ports.store();
process.stdout.write('ready\n');
for (;;) {
  await checkAlerts({ rules: {}, isQuick: true }, ports);
  await announceAlerts({ targets: outbox.names, quiet: [] }, ports);
  await outbox.flush();
  await sleep(20);
}
