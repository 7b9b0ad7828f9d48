import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../store/open.ts';
import { seededByRun } from '../../testing/seed.ts';
import { keyedFetch } from '../../testing/server-keys.ts';
import { startNode } from '../testing/fleet.ts';
import { runWithKills } from '../testing/kill-rounds.ts';
import { senders } from '../testing/senders.ts';
import { sentLines } from '../testing/stored-rows.ts';

const chance = seededByRun();
const root = mkdtempSync(join(tmpdir(), 'assay-kill-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const KILLS = 2;
const COUNT = 9;

it('keeps what it acknowledged and scores it as if it had never been killed', async () => {
  const [killed, undisturbed] = [mkdtempSync(join(root, 'killed-')), mkdtempSync(join(root, 'whole-'))];
  const common = { senders: senders(COUNT), lifetime: () => chance.below(300) };
  const [first, second] = await Promise.all([
    runWithKills({ ...common, folder: killed, kills: KILLS }),
    runWithKills({ ...common, folder: undisturbed, kills: 0 }),
  ]);
  const stored = await sentLines(join(killed, 'assay.db'));
  expect(first.acknowledged.filter((body) => !stored.has(body.trimEnd()))).toEqual([]);
  expect(first.acknowledged).toHaveLength(5 * COUNT);
  expect(first.rows).toHaveLength(5);
  expect(first.rows).toEqual(second.rows);
}, 180_000);

const LINES = readFileSync('test/fixtures/session/claude-code-turns/5f0c.jsonl', 'utf8');
const SILENCE_MS = 3000;

it('delivers sessions that ended shortly before a kill, and alerts of them, also when it starts long after', async () => {
  const heard = new Set<string>();
  const hook = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    heard.add(JSON.parse(body).session_id);
    response.end();
  });
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done));
  onTestFinished(() => void hook.close());
  const { port } = hook.address() as AddressInfo;
  const session = { webhook: `http://127.0.0.1:${port}/`, silenceMinutes: SILENCE_MS / 60_000, flagBelow: 1 };
  const round = async (id: string) => {
    const folder = mkdtempSync(join(root, 'ended-'));
    const choices = { folder, store: join(folder, 'assay.db'), config: { session } };
    const first = await startNode(choices);
    // Of today: what ended long ago raises no alert.
    const body = LINES.replaceAll('5f0c', id)
      .replaceAll(/"([ua]-|msg_|req_)/g, `"${id}-$1`)
      .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, new Date().toISOString());
    const headers = { 'content-type': 'application/x-ndjson' };
    const path = `/api/v1/sessions/${id}/events?ended=true`;
    expect((await keyedFetch(new URL(path, first.url), { method: 'POST', headers, body })).status).toBe(200);
    await sleep(chance.below(300));
    await first.kill();
    await sleep(SILENCE_MS + 500);
    const second = await startNode(choices);
    // A claim of the one that was killed is over after a minute.
    await expect.poll(() => heard.has(id), { timeout: 90_000 }).toBe(true);
    const store = await openStore(choices.store);
    await expect.poll(async () => (await store.readAlerts()).length, { timeout: 30_000 }).toBe(1);
    await store.close();
    await second.kill();
  };
  await Promise.all(['aaaa', 'bbbb', 'cccc', 'dddd'].map(round));
}, 180_000);
