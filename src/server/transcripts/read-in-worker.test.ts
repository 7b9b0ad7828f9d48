import { expect, it } from 'vitest';
import { keyedFetch } from '../../testing/server-keys.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const MESSAGES = 1500;

/** A transcript in which every message is scored when it is explained message by message. */
function longTranscript(id: string): string {
  return Array.from({ length: MESSAGES }, (_, i) =>
    JSON.stringify({
      type: 'user',
      uuid: `${id}-${i}`,
      parentUuid: i === 0 ? null : `${id}-${i - 1}`,
      sessionId: id,
      version: '2.1.0',
      timestamp: new Date(1.767e12 + i * 1000).toISOString(),
      message: { role: 'user', content: `Do part ${i}. ${'word '.repeat(50)}` },
    }),
  ).join('\n');
}

async function sendLong(server: TestServer, id: string): Promise<void> {
  const init = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } };
  const sent = await server.ask(`/api/v1/sessions/${id}/events?ended=true`, {
    ...init,
    body: `${longTranscript(id)}\n`,
  });
  expect(sent.status).toBe(200);
  await expect
    .poll(async () => (await server.ask(`/api/v1/sessions/${id}`)).status, { timeout: 60_000 })
    .toBe(200);
}

it('reads a long transcript in another thread, message by message and line by line', async () => {
  const server = await startTestServer({ withSessions: false });
  await sendLong(server, 'long');
  for (const path of ['explanation?per_message=true', 'explanation?quotes=true', 'lines?from=1&to=400']) {
    const [own, all] = [process.threadCpuUsage(), process.cpuUsage()];
    const answer = await server.ask(`/api/v1/sessions/long/${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.text();
    const [ownUsed, allUsed] = [process.threadCpuUsage(own), process.cpuUsage(all)];
    expect((ownUsed.user + ownUsed.system) / (allUsed.user + allUsed.system), path).toBeLessThan(0.5);
  }
});

it('ends the thread when nobody waits any more, and answers the next one', async () => {
  const server = await startTestServer({ withSessions: false });
  await sendLong(server, 'long');
  const gone = new AbortController();
  const asked = keyedFetch(new URL('/api/v1/sessions/long/explanation?per_message=true', server.url), {
    signal: gone.signal,
  });
  setTimeout(() => gone.abort(), 20);
  await expect(asked).rejects.toThrow();
  const answer = await server.ask('/api/v1/sessions/long/lines?from=1&to=2');
  expect(await answer.json()).toMatchObject({ lines: [{ line: 1 }, { line: 2 }] });
  expect((await server.ask('/api/v1/sessions/nobody/lines?from=1&to=2')).status).toBe(404);
});
