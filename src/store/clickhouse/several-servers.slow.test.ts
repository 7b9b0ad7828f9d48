import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AuditWriter } from '../../operations/audit/audit-writer.ts';
import { verifyAudit } from '../../operations/audit/verify-audit.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { isNew } from '../../operations/deliveries/is-new.ts';
import { PLACED } from '../intake.ts';
import type { Store } from '../store.ts';
import { alert, attempt, session } from '../testing/records.ts';
import { openClickHouseStore } from './clickhouse-store.ts';
import { STEPS } from './schema.ts';
import { ClickHouseServer, missingClickHouse } from './testing/clickhouse-server.ts';

const missing = missingClickHouse();
const ROUNDS = 15;

if (missing !== undefined) it.skip(`several servers over one ClickHouse (${missing})`, () => {});
else {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await ClickHouseServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  const open = async (name: string): Promise<Store> => {
    const store = await openClickHouseStore(server.address(name));
    onTestFinished(() => store.close());
    return store;
  };

  describe('several servers over one ClickHouse', () => {
    it('raise an alert once and claim a delivery once, though they do so in the same moment', async () => {
      const stores = await Promise.all(['once', 'once', 'once'].map((name) => open(name)));
      for (let round = 0; round < ROUNDS; round += 1) {
        const raised = await Promise.all(
          stores.map((store, i) => isNew(store.appendAlerts([alert(`a${round}`, { message: `by ${i}` })]))),
        );
        expect(raised.filter(Boolean)).toHaveLength(1);
        const claimed = await Promise.all(
          stores.map((store, i) =>
            isNew(store.appendDeliveryAttempts([attempt(`d${round} 0`, { why: `by ${i}` })])),
          ),
        );
        expect(claimed.filter(Boolean)).toHaveLength(1);
      }
      for (const store of stores) expect(await store.readAlerts()).toHaveLength(ROUNDS);
    }, 120_000);

    it('write one chain of audit entries, though they write in the same moment', async () => {
      const stores = await Promise.all(['audit', 'audit', 'audit'].map((name) => open(name)));
      const writers = stores.map((store) => new AuditWriter(async () => store));
      const draft = { who: 'ann', origin: 'server', what: 'it', outcome: 'done', times: 1 } as const;
      for (let round = 0; round < ROUNDS; round += 1) {
        const at = (i: number) => new Date(1.8e12 + round * 1000 - i * 3_600_000).toISOString();
        await Promise.all(writers.map((writer, i) => writer.write({ ...draft, at: at(i) })));
      }
      const [store] = stores as [Store, ...Store[]];
      const entries = await store.readAudit();
      expect(new Set(entries.map(({ previous }) => previous)).size).toBe(3 * ROUNDS);
      expect(await verifyAudit({}, { ...defaultPorts(), store: async () => store })).toMatchObject({
        entries: 3 * ROUNDS,
        faults: [],
      });
    }, 120_000);

    it('take lines for one place of a stream once, though they are sent others in the same moment', async () => {
      const stores = await Promise.all(['place', 'place', 'place'].map((name) => open(name)));
      for (let round = 0; round < ROUNDS; round += 1) {
        const part = { stream: `events/${round}`, key: `${PLACED}0`, position: 0 };
        const seen = await Promise.all(
          stores.map(async ({ intake }, i) => {
            await intake.append([{ ...part, content: Buffer.from(`by ${i}\n`) }]);
            return String((await intake.contents(part, [part.key])).get(part.key));
          }),
        );
        expect(new Set(seen).size, seen.join()).toBe(1);
      }
      // Also where no reader chose among them: a later row with an earlier time could not take the place.
      expect(await server.ask('SELECT count() FROM place.intake')).toBe(`${ROUNDS}\n`);
    }, 120_000);

    it('take what was deleted as new', async () => {
      const store = await open('again');
      const placed = { stream: 'events/a', key: `${PLACED}0`, position: 0, content: Buffer.from('a\n') };
      await store.intake.append([placed]);
      await store.prune('intake', '2100-01-01T00:00:00.000Z');
      await store.intake.append([placed]);
      expect(await store.intake.parts(placed)).toHaveLength(1);
      const one = alert('a', { at: '2026-01-01T00:00:00.000Z' });
      await store.appendAlerts([one]);
      await store.prune('alerts', '2026-02-01T00:00:00.000Z');
      expect(await isNew(store.appendAlerts([one]))).toBe(true);
      expect(await store.readAlerts()).toEqual([one]);
    }, 120_000);

    it('start over what a later version added, unless that needs them to know it', async () => {
      await open('later');
      const next = STEPS.length + 1;
      await server.ask(`INSERT INTO later.schema_step VALUES (${next}, '2030-01-01T00:00:00.000Z')`);
      const store = await open('later');
      await store.appendSessions([session('a', 'r')]);
      expect(await store.countSessions()).toBe(1);
      await server.ask(`INSERT INTO later.schema_reader VALUES (${next}, '2030-01-01T00:00:00.000Z')`);
      await expect(open('later')).rejects.toMatchObject({
        code: 'STORE_NEWER',
        message: expect.stringContaining(`has schema ${next}`),
      });
    }, 120_000);
  });
}
