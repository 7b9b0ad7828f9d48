import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { describeStoreContract } from '../contract.ts';
import { openStore } from '../open.ts';
import { changeStore } from '../testing/change-store.ts';
import { delivery, session } from '../testing/records.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-store-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

describeStoreContract('SQLite', {
  open: () => openStore(join(root, `${count++}`, 'store.db')),
  openAgain: (store) => openStore(store.address),
});

it('prunes no stream of the intake to which something was added since', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const store = await openStore(':memory:');
  const part = (key: string) => ({ stream: 'events/one', key, position: 0, content: Buffer.from(key) });
  await store.intake.append([part('a')]);
  vi.setSystemTime(Date.UTC(2026, 0, 3));
  await store.intake.append([part('b')]);
  expect(await store.prune('intake', '2026-01-02T00:00:00.000Z')).toBe(0);
  expect(await store.prune('intake', '2026-01-03T00:00:00.000Z')).toBe(0);
  expect(await store.intake.parts({ stream: 'events/one' })).toHaveLength(2);
  await store.close();
});

it('stores no delivery of a session that it cannot store', async () => {
  const store = await openStore(join(root, 'whole', 'store.db'));
  changeStore(
    store.address,
    `CREATE TRIGGER refuse BEFORE INSERT ON session BEGIN SELECT raise(ABORT, 'no room'); END`,
  );
  await expect(store.appendSessions([session('one', '1')], [delivery('told')])).rejects.toThrow('no room');
  expect(await store.readDeliveries()).toEqual([]);
  await store.close();
});
