import { describe, expect, it } from 'vitest';
import { defaultPorts } from '../operations/default-ports.ts';
import { scoreSessions } from '../operations/session/score-sessions.ts';
import { run } from '../store/testing/records.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';

const total = async ({ ask }: TestServer) =>
  ((await (await ask('/api/v1/sessions?limit=1')).json()) as { total: number }).total;

describe('answers that are kept', () => {
  it('are those of the store as it is, whoever wrote to it', async () => {
    const server = await startTestServer();
    expect([await total(server), await total(server)]).toEqual([6, 6]);
    const other = defaultPorts({ store: server.store, folder: server.folder });
    const from = { paths: ['examples/session/shop'], home: server.folder, environment: {} };
    await scoreSessions({ from, keep: true, opinions: false }, other, () => {});
    await (await other.store()).prune('sessions', '2030-01-01');
    await other.close();
    expect(await total(server)).toBe(0);
  });

  it('are made again where a store appears', async () => {
    const server = await startTestServer({ withSessions: false });
    expect(await total(server)).toBe(0);
    const other = defaultPorts({ store: server.store, folder: server.folder });
    const from = { paths: ['examples/session'], home: server.folder, environment: {} };
    await scoreSessions({ from, keep: true, opinions: false }, other, () => {});
    await other.close();
    expect(await total(server)).toBe(6);
  });
});

describe('what commands store while the server runs', () => {
  it('is told to whoever listens', async () => {
    const server = await startTestServer();
    const listening = await server.ask('/api/v1/events');
    // The first look is taken before the server answers.
    const other = defaultPorts({ store: server.store, folder: server.folder });
    await (await other.store()).appendRuns([run('a-new-run')]);
    await other.close();
    let text = '';
    for await (const chunk of listening.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes('run.stored')) break;
    }
    expect(text).toContain('event: run.stored\ndata: {"id":"a-new-run"');
  });
});
