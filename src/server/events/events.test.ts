import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { EventHub, type ServerEvent } from './hub.ts';

const json = { 'content-type': 'application/json' };

/** Reads a stream until as many events came as are wanted; the text of each. */
async function readEvents(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  isWanted = (_event: string) => true,
): Promise<string[]> {
  const events: string[] = [];
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    events.push(...parts.filter((part) => part.startsWith('id: ') && isWanted(part)));
    if (events.length >= most) break;
  }
  return events;
}

const idIn = (event: string | undefined) => /^id: (\S+)/.exec(event ?? '')?.[1] ?? '';

/** What is written by one connection is news to another one of the same server, on a machine that is slow enough. */
const isNoReset = (event: string) => !event.includes('\nevent: reset\n');

async function rate(server: TestServer): Promise<void> {
  const { items } = (await (await server.ask('/api/v1/sessions?limit=1')).json()) as {
    items: { session_key: string }[];
  };
  const path = `/api/v1/sessions/${items[0]?.session_key}/ratings`;
  const answer = await server.ask(path, { method: 'POST', headers: json, body: '{"rating":3}' });
  expect(answer.status).toBe(201);
}

describe('events of the server', () => {
  it('come as they happen, and from where a listener left off', async () => {
    const server = await startTestServer();
    const listening = await server.ask('/api/v1/events');
    expect(listening.headers.get('content-type')).toBe('text/event-stream');
    await rate(server);
    const [first] = await readEvents(listening.body, 1, isNoReset);
    expect(first).toMatch(/^id: \d+-\w+\nevent: rating\.saved\ndata: \{"session_key":"\w+"\}$/);
    await rate(server);
    await rate(server);
    const again = await server.ask('/api/v1/events', { headers: { 'last-event-id': idIn(first) } });
    const missed = await readEvents(again.body, 2, isNoReset);
    const ids = [first, ...missed].map((event) => Number.parseInt(idIn(event), 10));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(missed.every((event) => event.includes('\nevent: rating.saved\n'))).toBe(true);
  });

  it('say that everything is to be asked for again after a restart', async () => {
    const { ask } = await startTestServer({ withSessions: false });
    const answer = await ask('/api/v1/events', { headers: { 'last-event-id': '12' } });
    const [event] = await readEvents(answer.body, 1);
    expect(event).toMatch(/\nevent: reset\n/);
  });

  it('reach a listener that broke off before the first of them, from where it began', async () => {
    const server = await startTestServer();
    const listening = await server.ask('/api/v1/events');
    const { value: beginning = '' } = (await listening.body
      ?.pipeThrough(new TextDecoderStream())
      .getReader()
      .read()) ?? { value: '' };
    const [, id = ''] = /\nid: (\S+)\n\n$/.exec(beginning) ?? [];
    await rate(server);
    const again = await server.ask('/api/v1/events', { headers: { 'last-event-id': id } });
    const [missed] = await readEvents(again.body, 1, isNoReset);
    expect(missed).toMatch(/\nevent: rating\.saved\n/);
  });

  it('say the same to whoever has heard what is yet to come: it was another server', async () => {
    const { ask } = await startTestServer({ withSessions: false });
    const answer = await ask('/api/v1/events', { headers: { 'last-event-id': '8000000000000000' } });
    const [event] = await readEvents(answer.body, 1);
    expect(event).toMatch(/\nevent: reset\n/);
  });

  it('end when the server stops, which waits for answers on their way', async () => {
    const server = await startTestServer();
    const streams = await Promise.all(Array.from({ length: 5 }, () => server.ask('/api/v1/events')));
    const saving = rate(server);
    await saving;
    await server.stop();
    for (const { body } of streams) expect(await readEvents(body, 99, isNoReset)).toHaveLength(1);
    await expect(server.ask('/healthz')).rejects.toThrow();
  });

  it('reach only as many listeners as there may be, and one that left makes room', async () => {
    const { ask } = await startTestServer({ withSessions: false, limits: { streams: 2 } });
    const stop = new AbortController();
    await ask('/api/v1/events', { signal: stop.signal });
    await ask('/api/v1/events');
    expect((await ask('/api/v1/events')).status).toBe(429);
    stop.abort();
    await expect.poll(async () => (await ask('/api/v1/events')).status, { timeout: 60_000 }).toBe(200);
  });
});

describe('what is kept of events', () => {
  it('gives a listener exactly what came after the last it heard, or says that it cannot', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2_500 }), fc.nat({ max: 2_600 }), (published, heard) => {
        const hub = new EventHub(() => new Date(0));
        for (let i = 0; i < published; i += 1) hub.publish('run.stored', { i });
        const received: ServerEvent[] = [];
        hub.listen({ send: (event) => void received.push(event), end: () => {} }, { id: heard });
        const missed = published - heard;
        if (missed > 1_000 || missed < 0) expect(received.map(({ type }) => type)).toEqual(['reset']);
        else
          expect(received.map(({ id }) => id)).toEqual(
            Array.from({ length: missed }, (_, i) => heard + 1 + i),
          );
      }),
    );
  });

  it('tells who heard another server all that one may not have told, and some of it again', () => {
    const SECOND = 1_000_000;
    let now = 0;
    const [first, second] = ['aa', 'bb'].map((name) => new EventHub(() => new Date(now / 1000), name));
    const heard: ServerEvent[] = [];
    first?.listen({ send: (event) => void heard.push(event), end: () => {} });
    // Both tell the same things, the second one up to five seconds later; after the fortieth the first one is gone.
    for (let i = 0; i < 100; i += 1) {
      now = 60 * SECOND + i * SECOND;
      if (i < 40) first?.publish('run.stored', { i });
      if (i >= 5) second?.publish('run.stored', { i: i - 5 });
    }
    const received: ServerEvent[] = [];
    const last = heard.at(-1)?.id ?? 0;
    second?.listen({ send: (event) => void received.push(event), end: () => {} }, { id: last, server: 'aa' });
    const known = [...heard, ...received].map(({ data }) => (data as { i: number }).i);
    expect(new Set(known)).toEqual(new Set(Array.from({ length: 95 }, (_, i) => i)));
    const late: ServerEvent[] = [];
    const began = new EventHub(() => new Date(now / 1000), 'cc');
    began.listen({ send: (event) => void late.push(event), end: () => {} }, { id: last, server: 'aa' });
    expect(late.map(({ type }) => type)).toEqual(['reset']);
  });
});
