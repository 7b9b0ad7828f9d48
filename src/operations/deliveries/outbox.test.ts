import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { holdStore } from '../../store/testing/change-store.ts';
import { defaultPorts } from '../default-ports.ts';
import { Outbox } from './outbox.ts';

const START = Date.parse('2026-11-16T05:00:30.000Z');
const HOUR = 3_600_000;

it('tells nobody twice because the store could not note that they were told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-outbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'assay.db');
  let now = START;
  const ports = defaultPorts({ store: path, storeWaitMs: 1, now: () => new Date(now) });
  onTestFinished(() => ports.close());
  const store = await ports.store();
  const at = new Date(START).toISOString();
  await store.appendDeliveries([{ deliveryId: 'hook 1', target: 'hook', body: {}, at }]);
  let letGo = () => {};
  let delivered = 0;
  const outbox = new Outbox(
    {
      hook: async () => {
        delivered += 1;
        ({ letGo } = holdStore(path));
      },
    },
    ports,
  );
  onTestFinished(() => outbox.stop());
  for (let hour = 0; hour < 3; hour += 1) {
    await expect(outbox.flush()).rejects.toMatchObject({ code: 'STORE_BUSY' });
    now += HOUR;
  }
  letGo();
  await outbox.flush();
  expect(await store.pendingDeliveries()).toEqual([]);
  expect(delivered).toBe(1);
});
