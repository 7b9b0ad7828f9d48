/** Looking after a real ClickHouse: copies both ways, copies that are killed, and damage that is really done. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClickHouseServer, missingClickHouse } from '../../store/clickhouse/testing/clickhouse-server.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { anyRecords, appendAll } from '../../store/testing/any-records.ts';
import {
  alert,
  alertEvent,
  at,
  decomposition,
  hashed,
  rating,
  session,
} from '../../store/testing/records.ts';
import { story } from '../../store/testing/session-story.ts';
import { defaultPorts } from '../default-ports.ts';
import { checkStore } from './check-store.ts';
import { copyStore, isWholeCopy } from './copy-store.ts';
import { migrateStore } from './migrate-store.ts';
import { readStore } from './read-store.ts';

const missing = missingClickHouse();
const folder = mkdtempSync(join(tmpdir(), 'assay-copy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function using<T>(address: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(address);
  return work(store).finally(() => store.close());
}

if (missing !== undefined) it.skip(`looking after ClickHouse (${missing})`, () => {});
else {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await ClickHouseServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  const ask = async (database: string, sql: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.httpPort}/?database=${database}`, {
      method: 'POST',
      body: sql,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  };

  describe('a store on ClickHouse', () => {
    it('is told of without being made, and is made by a migration that others may do at once', async () => {
      const address = server.address('made');
      expect(await readStore(address, defaultPorts())).toMatchObject({
        backend: 'ClickHouse',
        exists: false,
        isMigrationDue: false,
      });
      await expect(checkStore(address, defaultPorts())).rejects.toMatchObject({ code: 'STORE_UNREADABLE' });
      const made = await Promise.all([1, 2, 3].map(() => migrateStore(address)));
      for (const one of made) expect(one.schema.applied).toBe(one.schema.known);
      expect(await migrateStore(address)).toMatchObject({ before: made[0]?.schema.known });
      const { holding, ...state } = await readStore(address, defaultPorts());
      expect(state).toMatchObject({ exists: true, isMigrationDue: false });
      expect(holding?.kinds.every(({ records }) => records === 0)).toBe(true);
    });

    it('gives back what was copied into it from a file, sums and all', () =>
      fc.assert(
        fc.asyncProperty(story, anyRecords, async (chapters, batch) => {
          const [from, back] = [join(folder, 'from.db'), join(folder, 'back.db')];
          const expected = await using(from, async (store) => {
            for (const chapter of chapters) if ('rows' in chapter) await store.appendSessions(chapter.rows);
            await appendAll(store, batch, 9);
            await store.prune('decompositions', '2026-01-01T00:59:00Z');
            return answersOf(store);
          });
          const to = await server.emptied('copied');
          const there = await copyStore({ from, to }, defaultPorts());
          const again = await copyStore({ from: to, to: back }, defaultPorts());
          for (const copy of [there, again]) {
            expect(isWholeCopy(copy)).toBe(true);
            for (const kind of copy.kinds) expect(kind.to).toEqual(kind.from);
          }
          expect(await using(to, answersOf)).toEqual(expected);
          expect(await using(back, answersOf)).toEqual(expected);
          for (const path of [from, back])
            for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
        }),
        { numRuns: 2 },
      ));

    it.each<[sql: string, table: string, key: string, what: RegExp]>([
      ["ALTER TABLE rating UPDATE author = 'me' WHERE rating_id = 'a'", 'ratings', 'a', /content_hash/],
      ["ALTER TABLE alert DELETE WHERE alert_id = 'al'", 'alert_event', 'ev', /its alert is missing/],
      ["ALTER TABLE session UPDATE facts = '{' WHERE session_key = 's2'", 'sessions', 's2', /session.facts/],
      [
        "ALTER TABLE session UPDATE q = 0.9 WHERE session_key = 's3'",
        'sessions',
        's3',
        /differs from what was stored/,
      ],
    ])('is checked, and names what is damaged after %s', async (sql, table, key, what) => {
      const address = await server.emptied('damaged');
      const { openClickHouseStore } = await import('../../store/clickhouse/clickhouse-store.ts');
      const store = await openClickHouseStore(address);
      await store.appendSessions(
        ['s1', 's2', 's3', 's4'].map((id) => hashed(session(id, '', { q: 0.5, startedAt: at(1) }))),
      );
      await store.appendRatings([rating('a'), rating('b')]);
      await store.appendAlerts([alert('al')]);
      await store.appendAlertEvents([alertEvent('ev', { alertId: 'al' })]);
      await store.appendDecompositions([decomposition('a', { costUsd: 1 })]);
      await store.close();
      expect((await checkStore(address, defaultPorts())).damages).toEqual([]);
      await ask('damaged', `${sql} SETTINGS mutations_sync = 2`);
      const { damages } = await checkStore(address, defaultPorts());
      const found = damages.find((one) => one.table === table && what.test(one.what));
      expect(found, JSON.stringify(damages)).toBeDefined();
      expect(found?.key ?? '').toContain(key);
    });

    it('goes on with a copy that was killed, and stores nothing twice', async () => {
      const from = join(folder, 'many.db');
      const to = await server.emptied('killed');
      const rows = Array.from({ length: 6000 }, (_, i) =>
        session(`s${i}`, '1', { q: 0.5, startedAt: at(i), costUsd: 1 }),
      );
      await using(from, async (store) => {
        for (let i = 0; i < rows.length; i += 1000) await store.appendSessions(rows.slice(i, i + 1000));
      });
      await migrateStore(to);
      const child = spawn(
        process.execPath,
        [resolve('bin/assay.js'), 'store', 'copy', '--from', from, '--to', to],
        { stdio: 'ignore' },
      );
      const ended = new Promise((done) => child.once('exit', done));
      const countThere = async () =>
        Number(await ask('killed', 'SELECT uniqExact(session_key) FROM session').catch(() => 0));
      while (child.exitCode === null && (await countThere()) < 500)
        await new Promise((done) => setTimeout(done, 5));
      child.kill('SIGKILL');
      await ended;
      const before = await countThere();
      expect(before).toBeGreaterThan(0);
      const copy = await copyStore({ from, to }, defaultPorts());
      const sessions = copy.kinds.find(({ kind }) => kind === 'sessions');
      expect(isWholeCopy(copy)).toBe(true);
      expect(sessions).toMatchObject({ added: rows.length - before, to: { records: rows.length } });
      const [all] = await using(to, (store) => store.sessionRollup());
      expect(all).toMatchObject({ sessions: rows.length, cost: { sumUsd: rows.length } });
      expect(await ask('killed', 'SELECT count() FROM session')).toBe(`${rows.length}\n`);
    });
  });
}

async function answersOf(store: Store): Promise<unknown> {
  return [
    await store.sessionRollup({ by: ['taskType', 'project'], bucket: 'day', histograms: true }),
    await store.productionCells({ by: 'hour' }),
    await store.productionCells({ by: 'day' }),
    await store.pendingDeliveries(),
    await store.trackAlerts({ now: at(0) }),
    await store.readDecompositions(),
  ];
}
