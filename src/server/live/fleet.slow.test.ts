import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ClickHouseServer, missingClickHouse } from '../../store/clickhouse/testing/clickhouse-server.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { seededByRun } from '../../testing/seed.ts';
import { type Node, rowsOf, sendAll, startNode } from '../testing/fleet.ts';
import { sentFiles, telemetryRequests } from '../testing/fleet-sessions.ts';
import { freshRows } from '../testing/stored-rows.ts';

const missing = missingClickHouse();
const chance = seededByRun();

/** Every session is low, so that each raises an alert; what is sent without an end ends by silence. */
const CONFIG = { session: { flagBelow: 1, silenceMinutes: 0.05 } };
const AT_ONCE = 8;

function shuffled<T>(values: readonly T[]): T[] {
  const list = [...values];
  for (let i = list.length - 1; i > 0; i -= 1) {
    const j = chance.below(i + 1);
    [list[i], list[j]] = [list[j] as T, list[i] as T];
  }
  return list;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(200);
}

const said = async (store: Store) => [...(await rowsOf(store)).values()].sort(byKey);
const byKey = (a: { sessionKey: string }, b: { sessionKey: string }) =>
  a.sessionKey < b.sessionKey ? -1 : 1;

if (missing !== undefined) it.skip(`servers over one ClickHouse (${missing})`, () => {});
else {
  let server: ClickHouseServer;
  const root = mkdtempSync(join(tmpdir(), 'assay-fleet-'));
  beforeAll(async () => {
    server = await ClickHouseServer.start();
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const node = async (name: string, store: string): Promise<Node> => {
    const started = await startNode({ folder: join(root, name), store, config: CONFIG });
    onTestFinished(() => started.kill());
    return started;
  };

  describe('servers over one ClickHouse', () => {
    it('score what any of them was sent, in any order, as one that was sent all of it, also when one is killed', async () => {
      const files = sentFiles();
      const requests = [...files.flatMap((file) => file.requests), ...telemetryRequests()];
      const ends = files.map(({ end }) => end);
      const [alone, fleet] = [server.address('alone'), server.address('fleet')];

      const [single, ...nodes] = await Promise.all([
        node('alone', alone),
        ...['a', 'b', 'c'].map((name) => node(name, fleet)),
      ]);
      let living = nodes;
      const inOrder = async () => {
        for (const part of [requests, ends])
          await sendAll(part, () => [single as Node], { below: () => 0 }, 1);
      };
      const anyhow = async () => {
        const some = shuffled([...requests, ...requests.filter(() => chance.below(5) === 0)]);
        const half = Math.floor(some.length / 2);
        await sendAll(some.slice(0, half), () => living, chance, AT_ONCE);
        const sending = sendAll(some.slice(half), () => living, chance, AT_ONCE);
        await nodes[0]?.kill('SIGKILL');
        living = nodes.slice(1);
        await sending;
        await sendAll(shuffled(ends), () => living, chance, AT_ONCE);
      };
      await Promise.all([inOrder(), anyhow()]);

      const [one, all] = [await openStore(alone), await openStore(fleet)];
      onTestFinished(async () => {
        await one.close();
        await all.close();
      });
      const expected = files.length + 8;
      await until(async () => (await one.countSessions()) >= expected);
      await until(async () => JSON.stringify(await said(one)) === JSON.stringify(await said(all)));
      const rows = await said(all);
      expect(rows.length).toBeGreaterThanOrEqual(expected);

      // What a file of the same lines comes to, read from a disk.
      const plain = mkdtempSync(join(root, 'plain-'));
      for (const { session, text } of files) {
        const path = join(plain, session, `${session}.jsonl`);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      const nameOf = ({ source, sessionId, q }: { source: string; sessionId: string; q?: number }) =>
        `${source} ${sessionId} ${q?.toFixed(9)}`;
      const fromDisk = (await freshRows(plain)).map(nameOf).sort();
      const ofLines = rows
        .filter(({ source }) => !source.startsWith('otlp'))
        .map(nameOf)
        .sort();
      expect(ofLines).toEqual(fromDisk);

      // Whoever listens to a server that lives hears of the end of every session.
      const keys = rows.map(({ sessionKey }) => sessionKey).sort();
      for (const { heard } of living)
        await until(async () => {
          const ended = heard.filter(({ type }) => type === 'session.scored').map(({ session }) => session);
          return keys.every((key) => ended.includes(key));
        });

      // Each session that ended raised one alert.
      const now = new Date().toISOString();
      const alerts = await all.trackAlerts({ now });
      const low = rows.filter(({ q }) => q !== undefined && q < 1);
      expect(new Set(alerts.map(({ subject }) => subject)).size).toBe(alerts.length);
      expect(alerts.length).toBeLessThanOrEqual(low.length);
    }, 180_000);
  });
}
