import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../../store/open.ts';
import { anAlert } from './testing/alert.ts';
import { listener } from './testing/listener.ts';
import { requests } from './testing/requests.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-tell-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CHILD = fileURLToPath(new URL('testing/notify-child.ts', import.meta.url));

async function teller(store: string, url: string, claimMs = 60_000) {
  const child = spawn(process.execPath, [CHILD, store, url, String(claimMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const kill = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { kill };
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await sleep(10);
}

async function openAlerts(path: string, count: number): Promise<void> {
  const store = await openStore(path);
  const at = new Date().toISOString();
  await store.appendAlerts(Array.from({ length: count }, (_, i) => anAlert({ alertId: `alert-${i}`, at })));
  await store.close();
}

it('is told once by three processes on one store', async () => {
  const path = join(root, 'three.db');
  await openAlerts(path, 40);
  const { url, heard } = await listener((response) => setTimeout(() => response.end(), 15));
  const tellers = await Promise.all([teller(path, url), teller(path, url), teller(path, url)]);
  await until(() => new Set(heard.map(({ body }) => body)).size === 40);
  await sleep(300);
  await Promise.all(tellers.map(({ kill }) => kill()));
  expect(heard).toHaveLength(40);
});

it('is told by the next process what one was killed over, and nothing that it had told', async () => {
  const path = join(root, 'killed.db');
  await openAlerts(path, 6);
  // The third is taken and never answered.
  const { url, heard } = await listener((response, count) => void (count !== 3 && response.end()));
  const first = await teller(path, url);
  await until(() => heard.length === 3);
  await first.kill();
  const second = await teller(path, url, 500);
  await until(() => heard.length === 7);
  await sleep(200);
  await second.kill();
  const ids = heard.map(({ headers }) => String(headers['webhook-id']));
  expect(new Set(ids).size).toBe(6);
  expect(ids.filter((id) => id === ids[2])).toHaveLength(2);
  expect(ids).toHaveLength(7);
});

it('fires and resolves once though two processes look at once, one of them killed and started again', async () => {
  const path = join(root, 'two.db');
  const store = await openStore(path);
  const { url, heard } = await listener();
  const [one, other] = await Promise.all([teller(path, url), teller(path, url)]);
  await store.appendDecompositions(
    requests('bad', 40, Date.now(), (i) => (i % 4 === 0 ? { status: 'error' } : {})),
  );
  await until(() => heard.length > 0);
  await one.kill();
  const again = await teller(path, url);
  await sleep(500);
  await store.appendDecompositions(requests('good', 1400, Date.now() + 800_000));
  await until(() => heard.length > 1);
  await sleep(500);
  await Promise.all([other.kill(), again.kill()]);
  expect(heard.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.fired', 'alert.resolved']);
  expect((await store.readAlerts()).map(({ alertId }) => alertId)).toEqual(['errors-high:production:1']);
  expect(await store.readAlertEvents()).toHaveLength(1);
  await store.close();
});
