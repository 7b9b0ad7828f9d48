import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ClickHouseServer, missingClickHouse } from '../../store/clickhouse/testing/clickhouse-server.ts';
import { openStore } from '../../store/open.ts';
import { seededByRun } from '../../testing/seed.ts';
import { type Node, sendAll, sendSessions, startNode } from '../testing/fleet.ts';
import { differences, disturbed, saysOf, shuffled, storedIn, undisturbed } from '../testing/fleet-rows.ts';
import { sentFiles, sentTelemetry } from '../testing/fleet-sessions.ts';

const missing = missingClickHouse();
const chance = seededByRun();

/** Every session is low, so that each raises an alert; what is sent without an end ends by silence. */
const CONFIG = { session: { flagBelow: 1, silenceMinutes: 0.05 } };
const AT_ONCE = 6;
/** Looks at which nothing new was seen, after which nothing is waited for. */
const LOOKS = 300;

/** Until there is nothing left to say against it; a machine with much else to do is waited for as long as something happens. */
async function untilEmpty(missing: () => readonly string[] | Promise<readonly string[]>): Promise<void> {
  let left = await missing();
  for (let look = 1; left.length > 0 && look < LOOKS; look += 1) {
    await sleep(200);
    const now = await missing();
    if (now.join() !== left.join()) look = 0;
    left = now;
  }
  expect(left).toEqual([]);
}

/**
 * What a server finds when it begins to watch, it takes for what ended before, and tells nobody of it. So nothing is sent before
 * each of them has told of a session that was new to it.
 */
async function allWatch(nodes: readonly Node[]): Promise<void> {
  const isSilent = ({ heard }: Node) => !heard.some(({ type }) => type.startsWith('session.'));
  for (let count = 0; nodes.some(isSilent); count += 1) {
    const base = { session_id: `first-${count}`, timestamp: new Date().toISOString() };
    const lines = [
      { ...base, type: 'user', text: 'Is anybody there?' },
      { ...base, type: 'assistant', text: 'Yes.' },
    ];
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const headers = { 'content-type': 'application/x-ndjson' };
    const path = `/api/v1/sessions/first-${count}/events`;
    await sendAll([{ path, headers, body }], () => nodes, chance, 1);
    await sleep(1000);
  }
}

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

  // Some twenty seconds on a quiet machine. Beside twenty-five others on two cores it took seven minutes, every step of it slow.
  it('scores what any of three servers was sent as if all of it were one file, though one of them is killed', {
    timeout: 1_800_000,
  }, async () => {
    const address = server.address('fleet');
    const place = join(root, 'fleet');
    const starting = ['a', 'b', 'c'].map((name) =>
      startNode({ folder: join(place, name), store: address, config: CONFIG }),
    );
    onTestFinished(async () => {
      for (const one of await Promise.allSettled(starting))
        if (one.status === 'fulfilled') await one.value.kill();
    });
    const nodes = await Promise.all(starting);
    await allWatch(nodes);
    let living: readonly Node[] = nodes;
    const files = [...sentFiles(), ...sentTelemetry()];
    const sessions = disturbed(files, chance);
    const half = Math.floor(sessions.length / 2);
    await sendSessions(sessions.slice(0, half), () => living, chance, AT_ONCE);
    const sending = sendSessions(sessions.slice(half), () => living, chance, AT_ONCE);
    await nodes[0]?.kill('SIGKILL');
    living = nodes.slice(1);
    await sending;
    const ends = files.flatMap(({ end }) => end ?? []);
    await sendAll(shuffled(ends, chance), () => living, chance, AT_ONCE);

    const store = await openStore(address);
    onTestFinished(() => store.close());
    const expected = await undisturbed(join(place, 'undisturbed'), files);
    const wanted = expected.map(saysOf).sort();
    const names = new Set(expected.map(({ source, sessionId }) => `${source} ${sessionId}`));
    // A session that was read before its id came has another name until then.
    const rowsNow = async () =>
      (await storedIn(store)).filter(({ source, sessionId }) => names.has(`${source} ${sessionId}`));
    await untilEmpty(async () => differences((await rowsNow()).map(saysOf), wanted));
    const rows = await rowsNow();
    expect(rows).toHaveLength(expected.length);

    // Whoever listens to a server that lives hears of the end of every session.
    const keys = rows.map(({ sessionKey }) => sessionKey);
    for (const { heard } of living)
      await untilEmpty(() => {
        const ended = heard.filter(({ type }) => type === 'session.scored').map(({ session }) => session);
        return keys.filter((key) => !ended.includes(key));
      });

    // Both of them and the one that was killed saw them: each raised one alert.
    const alerts = await store.readAlerts();
    expect(new Set(alerts.map(({ subject }) => subject)).size).toBe(alerts.length);
  });
}
