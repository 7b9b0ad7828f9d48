/** Servers and nodes that are killed, answers that are lost, clocks that are apart: nothing is lost and nothing is doubled. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AssayError } from '../../errors.ts';
import type { SessionRow } from '../schema/session.ts';
import { startProcess } from '../sqlite/testing/processes.ts';
import type { Store } from '../store.ts';
import { SessionModel } from '../testing/model.ts';
import { decomposition, session } from '../testing/records.ts';
import { openClickHouseStore } from './clickhouse-store.ts';
import { STEPS } from './schema.ts';
import { ClickHouseCluster } from './testing/clickhouse-cluster.ts';
import { type ClickHouseServer, missingClickHouse } from './testing/clickhouse-server.ts';
import { startWithholdingProxy } from './testing/withholding-proxy.ts';
import { batchOf, lastWords } from './testing/writer-batches.ts';

const missing = missingClickHouse();
/** Away, or just being stopped. */
const PASSING = /^STORE_(UNREACHABLE|BUSY)$/;
const WRITER = new URL('testing/writer.ts', import.meta.url);

if (missing !== undefined) it.skip(`a fleet on ClickHouse (${missing})`, () => {});
else
  describe('a fleet on two shards of ClickHouse', () => {
    let cluster: ClickHouseCluster;
    beforeAll(async () => {
      cluster = await ClickHouseCluster.start(2);
    }, 120_000);
    afterEach(async () => {
      for (const shard of cluster.shards) if (shard.isStopped) await shard.resume();
    });
    afterAll(() => cluster.stop());

    it('makes one schema when many nodes start at once over nothing', async () => {
      const address = cluster.address('race');
      const names = ['a', 'b', 'c', 'd'];
      const nodes = names.map((name) => startProcess(WRITER, address, name, '1', '3'));
      await Promise.all(nodes.map((node) => node.end()));
      await holds(address, lastWords(names, 1, 3));
      for (const shard of cluster.shards)
        expect(await shard.ask('SELECT step FROM race.schema_step FINAL ORDER BY step')).toBe(
          STEPS.map((_, i) => `${i + 1}\n`).join(''),
        );
    });

    it('takes a batch once when its answer was lost and it is sent again', async () => {
      const [server] = cluster.shards as [ClickHouseServer];
      const proxy = await startWithholdingProxy(server.httpPort, 'session', { cut: true });
      const store = await openClickHouseStore(server.address('lost').replace(/:\d+/, `:${proxy.port}`));
      await store.appendSessions(batchOf('a', 0, 50));
      await proxy.withheld;
      await store.close();
      await proxy.close();
      // The rows themselves, those that would be replaced by key too.
      expect(await server.ask('SELECT count() FROM lost.session')).toBe('50\n');
      await holds(server.address('lost'), lastWords(['a'], 1, 50));
    });

    it('doubles nothing when a node is killed before the answer, and another sends its batch', async () => {
      const [server] = cluster.shards as [ClickHouseServer];
      const address = server.address('orphaned');
      const proxy = await startWithholdingProxy(server.httpPort, 'session', { cut: false });
      const node = startProcess(WRITER, address.replace(/:\d+/, `:${proxy.port}`), 'a', '1', '50');
      await proxy.withheld;
      await node.kill();
      await proxy.close();
      await startProcess(WRITER, address, 'a', '4', '50').end();
      await holds(address, lastWords(['a'], 4, 50));
    });

    it('files the sums of requests of which only the requests had been written', async () => {
      const [server] = cluster.shards as [ClickHouseServer];
      const store = await eventually(() => openClickHouseStore(server.address('requests')));
      const records = ['a', 'b', 'c'].map((id) => decomposition(id));
      await store.appendDecompositions(records);
      const whole = await store.productionCells({ by: 'day' });
      // As a server leaves it that was killed between the two.
      await server.ask('TRUNCATE TABLE requests.production_sum SYNC');
      expect(await store.appendDecompositions(records)).toEqual({ added: 0, known: 3 });
      expect(await store.productionCells({ by: 'day' })).toEqual(whole);
      await store.close();
    });

    it('takes what was scored last by its own clock, whichever clock was ahead and whoever came last', async () => {
      const address = cluster.address('clocks');
      const open = () => eventually(() => openClickHouseStore(address));
      const [ahead, behind] = await Promise.all([open(), open()]);
      const scored = (minute: number, q: number, hour: number) =>
        Array.from({ length: 20 }, (_, i) =>
          session(`s${i}`, `r${minute}`, {
            startedAt: new Date(Date.UTC(2026, 4, 1, hour)).toISOString(),
            scoredAt: new Date(Date.UTC(2026, 4, 2, 0, minute)).toISOString(),
            q,
          }),
        );
      // The later word comes first, from the node whose clock is ahead; both at other hours of the day.
      await ahead.appendSessions(scored(10, 0.5, 3));
      await behind.appendSessions(scored(5, 0.25, 4));
      await holds(address, scored(10, 0.5, 3));
      // At the same moment, neither knowing of the other.
      await Promise.all([
        ahead.appendSessions(scored(30, 0.75, 5)),
        behind.appendSessions(scored(25, 1, 30)),
      ]);
      await holds(address, scored(30, 0.75, 5));
      await Promise.all([ahead.close(), behind.close()]);
    });

    it('loses and doubles nothing when a shard is killed while nodes write, and comes back', async () => {
      const address = cluster.address('killed');
      const [batches, size] = [24, 20];
      await eventually(async () => (await openClickHouseStore(address)).close());
      const nodes = ['a', 'b'].map((name) =>
        startProcess(WRITER, address, name, String(batches), String(size)),
      );
      const [, victim] = cluster.shards as [ClickHouseServer, ClickHouseServer];
      for (const after of ['stored 4', 'stored 12']) {
        await nodes[0]?.said(after);
        await victim.kill();
        await nodes[1]?.said('again STORE_UNREACHABLE');
        await sleep(300);
        await victim.resume();
      }
      await Promise.all(nodes.map((node) => node.end()));
      await holds(address, lastWords(['a', 'b'], batches, size));
    });

    it('says that it cannot be reached when a shard is away, and does not answer with a part', async () => {
      const address = cluster.address('away');
      const store = await eventually(() => openClickHouseStore(address));
      await eventually(() => store.appendSessions(batchOf('a', 0, 10)));
      const [, second] = cluster.shards as [ClickHouseServer, ClickHouseServer];
      await second.kill();
      try {
        for (const question of [
          () => store.countSessions(),
          () => store.sessionRollup(),
          () => store.appendSessions(batchOf('a', 1, 10)),
        ])
          await expect(question()).rejects.toMatchObject({ code: expect.stringMatching(PASSING) });
        // Opening changes nothing, so it needs only one of them.
        await eventually(async () => (await openClickHouseStore(address)).close());
      } finally {
        await second.resume();
      }
      await eventually(() => store.appendSessions(batchOf('a', 1, 10)));
      await store.close();
      await holds(address, lastWords(['a'], 2, 10));
    });
  });

/** The sessions are these, each once, and the sums are theirs, whether they are added up or were filed by day. */
async function holds(address: string, rows: readonly SessionRow[]): Promise<void> {
  await eventually(() => holdsNow(address, rows));
}

async function holdsNow(address: string, rows: readonly SessionRow[]): Promise<void> {
  const model = new SessionModel();
  model.append(rows);
  const store = await openClickHouseStore(address);
  try {
    expect(await store.countSessions()).toBe(rows.length);
    expect(await keysOf(store)).toEqual(rows.map(({ sessionKey }) => sessionKey).sort());
    for (const query of [{ bucket: 'hour' }, { bucket: 'day' }, {}, { bucket: 'day' }] as const)
      expect(await store.sessionRollup(query)).toEqual(model.rollup(query));
  } finally {
    await store.close();
  }
}

/** A server may just be starting again. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof AssayError && PASSING.test(error.code);
      if (!isPassing || tries === 100) throw error;
      await sleep(300);
    }
  }
}

async function keysOf(store: Store): Promise<string[]> {
  return (await store.listSessions()).map(({ sessionKey }) => sessionKey).sort();
}
