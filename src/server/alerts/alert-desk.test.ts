import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { alertList } from '../../api/schema/alert.ts';
import { configSchema } from '../../config.ts';
import { anAlert } from '../../operations/alerts/testing/alert.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const LINES = readFileSync('test/fixtures/session/claude-code-turns/5f0c.jsonl', 'utf8').replaceAll(
  /"timestamp":"[^"]+"/g,
  () => `"timestamp":"${new Date().toISOString()}"`,
);

async function watching(below: number, over?: TestServer): Promise<TestServer> {
  const { store, folder } = over ?? {};
  const ports = store === undefined ? undefined : defaultPorts({ store, ...(folder && { folder }) });
  return startTestServer({
    withSessions: false,
    config: configSchema.parse({ session: { flagBelow: below } }),
    ...(ports && { sessions: ports, project: defaultPorts({ store: store ?? '' }) }),
  });
}

const send = ({ ask }: TestServer, body: string, id = 'one') =>
  ask(`/api/v1/sessions/${id}/events?ended=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  });

const alertsOf = async ({ ask }: TestServer) =>
  alertList.parse(await (await ask('/api/v1/alerts')).json()).items;

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await sleep(20);
}

const fired = ({ lines }: TestServer) => lines.filter((line) => line.includes('"alert.fired"'));

it('raises an alert for a session that ended with too low a Q, once, also over a restart', async () => {
  const server = await watching(0.99);
  await send(server, LINES);
  await until(() => fired(server).length > 0);
  const [alert] = await alertsOf(server);
  expect(alert).toMatchObject({
    rule: 'session-q-low',
    severity: 'warning',
    instrument: 'session',
    state: 'open',
  });
  expect(alert?.message).toMatch(/^Q 0\.\d\d of a session of .* is below 0\.99/);
  await server.stop();
  const again = await watching(0.99, server);
  await send(again, LINES);
  await send(again, LINES.replaceAll('5f0c', '6a1d').replaceAll(/"([ua]-|msg_|req_)/g, '"other-$1'), 'two');
  await until(async () => (await alertsOf(again)).length > 1);
  const alerts = await alertsOf(again);
  expect(new Set(alerts.map(({ subject }) => subject)).size).toBe(alerts.length);
  await until(() => fired(again).length > 0);
  expect(fired(again).some((line) => line.includes(alert?.id ?? ''))).toBe(false);
});

it('says nothing of a session that is good enough', async () => {
  const server = await watching(0.4);
  await send(server, LINES);
  await until(async () =>
    JSON.stringify(await (await server.ask('/api/v1/sessions')).json()).includes('5f0c'),
  );
  await server.stop();
  expect(fired(server)).toEqual([]);
});

it('logs what a command raised', async () => {
  const server = await watching(0.4);
  const ports = defaultPorts({ store: server.store });
  await (await ports.store()).appendAlerts([anAlert({ at: new Date().toISOString() })]);
  await ports.close();
  await until(() => fired(server).length > 0);
  expect(fired(server)[0]).toContain('"severity":"critical"');
});

it.each([
  { alerts: { slack: 'TEAM_SLACK' } },
  { alerts: { email: { to: ['oncall@team.example'] } } },
  { session: { webhook: 'https://hooks.example/x' } },
])('refuses %j without its secret before it listens at its address', async (settings) => {
  const { url } = await startTestServer({ withSessions: false });
  // The address is taken: whoever listens first says so.
  const second = startTestServer({
    withSessions: false,
    port: Number(new URL(url).port),
    config: configSchema.parse(settings),
  });
  await expect(second).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});
