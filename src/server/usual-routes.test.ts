import { expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../config.ts';
import { defaultPorts } from '../operations/default-ports.ts';
import type { ServerServices } from './services.ts';
import { sessionFilter } from './session-query.ts';
import { startTestServer } from './testing/test-server.ts';
import { usualRoutesTask } from './usual-routes.ts';

it('makes the policy of routing before somebody asks for it, over many sessions only', async () => {
  const { store, folder } = await startTestServer();
  const sessions = defaultPorts({ store, folder });
  onTestFinished(sessions.close);
  const all = await (await sessions.store('looking')).countSessions();
  const told: unknown[] = [];
  const services = {
    sessions,
    config: configSchema.parse({}),
    log: (...said: readonly unknown[]) => void told.push(said),
  } as unknown as ServerServices;
  // The first one would be heard of before the second one.
  for (const many of [all + 1, all]) {
    const { stop } = await usualRoutesTask({ afterMs: 0, many }).start(services);
    onTestFinished(stop);
  }
  await expect.poll(() => told).toEqual([['info', 'routes', { sessions: all }]]);
});

it('asks what the page asks that narrows nothing', () => {
  expect(JSON.stringify(sessionFilter.parse({}))).toBe('{}');
});
