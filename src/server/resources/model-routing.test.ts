import { describe, expect, it } from 'vitest';
import { route, routeChoice } from '../../api/schema/route.ts';
import { encode } from '../../api/wire.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { planRoutes, ROUTE_WISHES } from '../../operations/session/plan-routes.ts';
import { openStore } from '../../store/open.ts';
import { session } from '../../store/testing/records.ts';
import { scoredWith } from '../../sync.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const DAY_MS = 86_400_000;

/** Two models in one project, the dear one no better. */
async function storeHistory({ store }: TestServer, days = 40): Promise<void> {
  const rows = Array.from({ length: days * 4 }, (_, i) => {
    const isExpensive = i % 2 === 0;
    return session(`past-${i}`, `r${i}`, {
      ...scoredWith({}),
      taskType: 'coding',
      model: isExpensive ? 'dear' : 'cheap',
      project: '/work/p',
      startedAt: new Date(Date.UTC(2026, 8, 1) + Math.floor(i / 4) * DAY_MS).toISOString(),
      q: 0.8 + ((i * 7) % 10) / 100,
      costUsd: (isExpensive ? 1 : 0.1) * (1 + (i % 3) / 10),
    });
  });
  const open = await openStore(store);
  await open.appendSessions(rows);
  await open.close();
}

const send = (server: TestServer, body: object) =>
  server.ask('/api/v1/route', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('routing over HTTP', () => {
  it('says which model should take which work, and what that would have given', async () => {
    const server = await startTestServer({ withSessions: false });
    await storeHistory(server);
    const answer = route.parse(await (await server.ask('/api/v1/route?replay=true')).json());
    expect(answer.task_types).toMatchObject([{ task_type: 'coding', answer: 'route', model: 'cheap' }]);
    expect(answer.replay).toMatchObject({ verdict: 'saves', sessions: 160, days: 40, never_tried: 0 });
    expect(answer.replay?.change?.cost_usd.high).toBeLessThan(0);
  });

  it('gives one task a model, the same key the same one, with how likely that was', async () => {
    const server = await startTestServer({ withSessions: false });
    await storeHistory(server);
    const asked = { task_type: 'coding', key: 'task 1' };
    const first = routeChoice.parse(await (await send(server, asked)).json());
    expect(first).toMatchObject({ answer: 'route', model: 'cheap' });
    expect(first.probability).toBeGreaterThan(0.9);
    expect(await (await send(server, asked)).json()).toEqual(first);
    const other = await (await send(server, { ...asked, models: ['dear'] })).json();
    expect(other).toMatchObject({ answer: 'not enough data', model: null, probability: null });
  });

  it('answers GET and POST by one policy, that of the command, also after more was kept', async () => {
    const server = await startTestServer({ withSessions: false });
    const ports = defaultPorts({ store: server.store, folder: '.' });
    for (const days of [40, 50]) {
      await storeHistory(server, days);
      const read = await (await server.ask('/api/v1/route?replay=true')).json();
      const request = { from: 'store', wishes: ROUTE_WISHES.usual, replay: true } as const;
      expect(read).toEqual(JSON.parse(JSON.stringify(encode(route, await planRoutes(request, ports)))));
      const { policy } = route.parse(await (await server.ask('/api/v1/route')).json());
      expect(policy).toBe(route.parse(read).policy);
      expect(await (await send(server, { task_type: 'coding' })).json()).toMatchObject({ policy });
    }
    await ports.close();
  });

  it('says that there is not enough data', async () => {
    const server = await startTestServer({ withSessions: false });
    expect(await (await send(server, { task_type: 'chat' })).json()).toMatchObject({
      answer: 'not enough data',
    });
  });

  it('refuses what is no question', async () => {
    const server = await startTestServer({ withSessions: false });
    for (const body of [
      {},
      { task_type: 'poetry' },
      { task_type: 'chat', floor: 2 },
      { task_type: 'chat', x: 1 },
    ])
      expect((await send(server, body)).status).toBe(400);
  });
});
