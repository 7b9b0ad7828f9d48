import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { defaultPorts } from '../../operations/default-ports.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { holdStore } from '../../store/testing/change-store.ts';
import { keyedFetch, keyOf } from '../../testing/server-keys.ts';
import { ROUTES } from '../resources/resources.ts';
import { openSocket, sendRaw, statusIn } from '../testing/raw-request.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { guardConnections, LIMITS } from './limits.ts';
import { createToken, tokenPath } from './tokens.ts';

const json = { 'content-type': 'application/json' };
const RATE = '/api/v1/sessions/none/ratings';

const request = (lines: readonly string[]) => `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;

async function isAnswering({ ask }: TestServer): Promise<boolean> {
  return (await ask('/healthz')).status === 200;
}

describe('names and sites', () => {
  it.each([
    ['another name', 'Host: evil.example'],
    ['another name with the port', 'Host: evil.example:4117'],
    ['a name that begins as ours', 'Host: 127.0.0.1.evil.example'],
    ['a name that ends as ours', 'Host: evil.localhost'],
    ['a user before the name', 'Host: localhost@evil.example'],
    ['another address', 'Host: 10.0.0.1'],
    ['none', 'Host:'],
  ])('is refused by %s', async (_, host) => {
    const { url } = await startTestServer({ withSessions: false });
    for (const path of ['/api/v1/overview', '/', '/healthz'])
      expect(statusIn(await sendRaw(url, request([`GET ${path} HTTP/1.1`, host])))).toBeOneOf([400, 403]);
  });

  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1', '[::1]:4117'])('answers to %s', async (name) => {
    const { url } = await startTestServer({ withSessions: false });
    const headers = [`Host: ${name}`, `Authorization: Bearer ${keyOf(url)}`];
    expect(statusIn(await sendRaw(url, request(['GET /api/v1/overview HTTP/1.1', ...headers])))).toBe(200);
  });

  it('tells nothing to whom a connection from this machine is all there is, as a proxy has it, whatever they ask', async () => {
    const { url, ask } = await startTestServer();
    const { host } = new URL(url);
    const { items } = (await (await ask('/api/v1/sessions?limit=1')).json()) as {
      items: { session_key: string }[];
    };
    const key = items[0]?.session_key ?? '';
    const statuses = new Map<string, number>();
    for (const { method, path } of ROUTES) {
      const address = path.replace(/\{\w+\}/g, key);
      const lines = [
        `Host: ${host}`,
        'Content-Type: application/json',
        'Content-Length: 2',
        'Cookie: assay-key=x',
      ];
      const answer = await sendRaw(url, `${method} ${address} HTTP/1.0\r\n${lines.join('\r\n')}\r\n\r\n{}`);
      statuses.set(`${method} ${path}`, statusIn(answer));
    }
    const open = [...statuses].filter(([, status]) => status !== 401).map(([name]) => name);
    expect(open.sort()).toEqual([
      'GET /api/docs',
      'GET /api/docs.css',
      'GET /api/v1/openapi.json',
      'GET /healthz',
      'GET /readyz',
      'GET /schemas/{file}',
      'POST /api/v1/decompositions',
      'POST /api/v1/sessions/{id}/events',
      'POST /v1/logs',
      'POST /v1/traces',
    ]);
    expect((await fetch(new URL('/api/v1/overview', url))).status).toBe(401);
  });

  it('lets a program of this machine send without the key, and compares nothing with what is stored', async () => {
    const { url } = await startTestServer({ withSessions: false });
    const send = (query: string, body: string, by: typeof fetch) =>
      by(new URL(`/api/v1/sessions/sent/events${query}`, url), {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body,
      });
    const line = '{"type":"user","message":"the secret"}\n';
    expect((await send('', line, fetch)).status).toBe(200);
    for (const guess of [line, '{"type":"user","message":"another"}\n'])
      expect((await send('?offset=0', guess, fetch)).status).toBe(401);
    expect((await send('?offset=0', line, keyedFetch as typeof fetch)).status).toBe(200);
  });

  it.each([
    ['a page of another site', 'GET', { origin: 'http://evil.example' }],
    ['a page without an origin', 'POST', { origin: 'null' }],
    ['the same name on another port', 'POST', { origin: 'http://127.0.0.1:1' }],
    [
      'a picture or script of another site',
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ],
    ['a form of another site', 'POST', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['a neighbour of the same site', 'POST', { 'sec-fetch-site': 'same-site' }],
    ['a proxy', 'GET', { 'x-forwarded-for': '10.0.0.1' }],
  ])('refuses %s', async (_, method, headers) => {
    const { url } = await startTestServer({ withSessions: false });
    const path = method === 'GET' ? '/api/v1/overview' : RATE;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const host = `Host: ${new URL(url).host}`;
    const body = method === 'POST' ? ['Content-Type: application/json', 'Content-Length: 0'] : [];
    const answer = await sendRaw(url, request([`${method} ${path} HTTP/1.1`, host, ...lines, ...body]));
    expect(statusIn(answer)).toBe(403);
    expect(answer.toLowerCase()).not.toContain('access-control-allow');
  });

  it('lets a person come from a link on another site, and its own pages ask', async () => {
    const { ask, url } = await startTestServer({ withSessions: false });
    const visit = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'];
    const page = await sendRaw(url, request(['GET /sessions HTTP/1.1', 'Host: localhost', ...visit]));
    expect(statusIn(page)).toBe(503);
    const own = { origin: url.slice(0, -1), 'sec-fetch-site': 'same-origin', ...json };
    expect((await ask(RATE, { method: 'POST', headers: own, body: '{"rating":1}' })).status).toBe(404);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'takes no write as %s, which a form can send unasked',
    async (type) => {
      const { ask } = await startTestServer({ withSessions: false });
      const answer = await ask(RATE, {
        method: 'POST',
        headers: { 'content-type': type },
        body: '{"rating":1}',
      });
      expect(answer.status).toBe(400);
    },
  );

  it('sends its policy with every answer, and no page of it holds script or style', async () => {
    const { ask } = await startTestServer({ withSessions: false });
    for (const path of ['/', '/healthz', '/api/docs', '/api/v1/nothing', '/api/docs.css']) {
      const answer = await ask(path);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toBeTruthy();
      expect(await answer.text()).not.toMatch(/<script|<style|onload=/);
    }
  });
});

describe('files', () => {
  it('are served from the folder of the dashboard and from nowhere else', async () => {
    const server = await startTestServer({ withSessions: false });
    const web = join(server.folder, 'web');
    mkdirSync(join(web, 'assets'), { recursive: true });
    writeFileSync(join(server.folder, 'secret.txt'), 'the secret');
    writeFileSync(join(web, 'index.html'), 'the page');
    writeFileSync(join(web, 'assets', 'a.js'), 'the script');
    symlinkSync(join(server.folder, 'secret.txt'), join(web, 'link.txt'));
    const get = async (path: string) =>
      sendRaw(server.url, request([`GET ${path} HTTP/1.1`, 'Host: localhost']));
    expect(await get('/assets/a.js')).toContain('the script');
    expect(await get('/sessions/some')).toContain('the page');
    const climbing = [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/../../secret.txt',
      '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
      '/..\\secret.txt',
      '/link.txt',
      '//secret.txt',
      '/secret.txt%00.js',
      `/${join(server.folder, 'secret.txt')}`,
      'http://localhost/../secret.txt',
    ];
    for (const path of climbing) expect(await get(path), path).not.toContain('the secret');
  });
});

describe('clients that mean harm', () => {
  it('cannot hold the server by sending slowly', async () => {
    const limits = { headersMs: 300, requestMs: 600 };
    const server = await startTestServer({ withSessions: false, limits });
    const key = `Authorization: Bearer ${keyOf(server.url)}\r\n`;
    const begun = [
      `POST /api/v1/sessions/none/ratings HTTP/1.1\r\nHost: localhost\r\n${key}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      'GET /api/v1/overview HTTP/1.1\r\nHost: local',
    ];
    const slow = Array.from({ length: 40 }, (_, i) => sendRaw(server.url, begun[i % 2] ?? ''));
    expect(await isAnswering(server)).toBe(true);
    const statuses = (await Promise.all(slow)).map(statusIn);
    expect(statuses.every((status) => status === 408 || status === 0)).toBe(true);
  });

  it.each([
    ['declared', () => 'Content-Length: 900000000'],
    ['sent in pieces', () => 'Transfer-Encoding: chunked'],
  ])('cannot send a body without end that is %s', async (_, header) => {
    const server = await startTestServer({ withSessions: false, limits: { bodyBytes: 10_000 } });
    const socket = openSocket(server.url);
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => {});
    socket.write(
      `POST ${RATE} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keyOf(server.url)}\r\n${header()}\r\nContent-Type: application/json\r\n\r\n`,
    );
    const piece = `1000\r\n${' '.repeat(4096)}\r\n`;
    while (!socket.destroyed)
      if (!socket.write(piece))
        await Promise.race([new Promise<void>((resolve) => socket.once('drain', resolve)), ended]);
    await ended;
    expect(statusIn(received)).toBeOneOf([413, 0]);
    expect(await isAnswering(server)).toBe(true);
  });

  it('cannot make much of little: a packed body is unpacked up to the limit', async () => {
    const { ask } = await startTestServer({ withSessions: false });
    const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
    const send = (body: Uint8Array<ArrayBuffer>) =>
      ask(RATE, { method: 'POST', headers: { ...json, 'content-encoding': 'gzip' }, body });
    expect(bomb.length).toBeLessThan(1_000_000);
    expect((await send(new Uint8Array(bomb))).status).toBe(413);
    expect((await send(new Uint8Array(Buffer.from('no gzip')))).status).toBe(400);
    expect((await send(new Uint8Array(gzipSync('{"rating":3}')))).status).toBe(404);
    const other = await ask(RATE, {
      method: 'POST',
      headers: { ...json, 'content-encoding': 'br' },
      body: 'x',
    });
    expect(other.status).toBe(400);
  });

  it('cannot send headers without end', async () => {
    const { url } = await startTestServer({ withSessions: false });
    const answer = await sendRaw(
      url,
      request(['GET / HTTP/1.1', 'Host: localhost', `X: ${'x'.repeat(20_000)}`]),
    );
    expect(statusIn(answer)).toBe(431);
  });

  it('cannot keep others out by opening connections and saying nothing', async () => {
    const server = await startTestServer({ withSessions: false, limits: { connections: 50 } });
    const silent = Array.from({ length: 400 }, () => openSocket(server.url));
    for (const socket of silent) socket.on('error', () => {});
    onTestFinished(() => {
      for (const socket of silent) socket.destroy();
    });
    await Promise.all(silent.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    expect(await isAnswering(server)).toBe(true);
  });

  it('are told to wait when they ask too often, and nobody else is', async () => {
    const server = await startTestServer({
      withSessions: false,
      // However slowly they ask, there is no time for another one.
      limits: { rate: { perSecond: 0.01, burst: 5 } },
    });
    const statuses: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      const answer = await server.ask('/api/v1/sessions');
      statuses.push(answer.status);
      if (answer.status === 429) expect(answer.headers.get('retry-after')).toBe('1');
      await answer.text();
    }
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(statuses).toContain(429);
  });

  it('are not told to wait because the clock was set back, nor because of others at their address', async () => {
    let now = Date.now();
    const server = await startTestServer({
      withSessions: false,
      now: () => new Date(now),
      limits: { rate: { perSecond: 0.01, burst: 3 } },
    });
    const status = async (init?: RequestInit) => (await server.ask('/api/v1/sessions', init)).status;
    expect(await status()).toBe(200);
    now -= 86_400_000;
    expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
    const { token } = await createToken(tokenPath({ HOME: server.folder }), {
      name: 'ann',
      scope: 'read',
      now: new Date(now),
    });
    const headers = { authorization: `Bearer ${token}` };
    expect([await status({ headers }), await status(), await status({ headers })]).toEqual([200, 429, 200]);
  });

  it('cannot take the places of listeners with requests that have no body to end', async () => {
    const server = await startTestServer({ withSessions: false, limits: { streams: 2 } });
    for (let i = 0; i < 5; i += 1) {
      const answer = await server.ask('/api/v1/events', { method: 'HEAD' });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    }
    const listening = new AbortController();
    expect((await server.ask('/api/v1/events', { signal: listening.signal })).status).toBe(200);
    listening.abort();
  });

  it('are disconnected when they send many requests without reading an answer', async () => {
    const server = await startTestServer({ withSessions: false, limits: { pipelined: 4 } });
    const socket = openSocket(server.url);
    socket.on('error', () => {});
    const ended = once(socket, 'close');
    socket.resume();
    const asked = `GET /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keyOf(server.url)}\r\n\r\n`;
    socket.write(asked.repeat(200));
    await ended;
    expect(await isAnswering(server)).toBe(true);
  });

  it('that leave answers unread are disconnected once all of them leave too much', async () => {
    const server = createServer((_, response) => void response.end(Buffer.alloc(40_000_000)));
    guardConnections(server, { ...LIMITS, unreadBytes: 100_000_000 });
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sockets = Array.from({ length: 8 }, () => openSocket(url).pause());
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of sockets) socket.on('error', () => {});
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const connections = () =>
      new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    await vi.waitUntil(async () => (await connections()) === 8, { timeout: 60_000 });
    await vi.waitUntil(async () => (await connections()) <= 3, { timeout: 60_000 });
    expect(await connections()).toBeGreaterThan(0);
  });

  it('are answered with a fault of theirs for what is no HTTP', async () => {
    const server = await startTestServer({ withSessions: false });
    for (const bytes of [
      '\0\0\0\0',
      'GET\r\n\r\n',
      'POST / HTTP/9.9\r\n\r\n',
      `\x16\x03\x01${'x'.repeat(200)}`,
    ])
      expect(statusIn(await sendRaw(server.url, bytes))).toBe(400);
    expect(await isAnswering(server)).toBe(true);
  });
});

describe('a store that cannot take anything', () => {
  const rate = async (server: TestServer) => {
    const { items } = (await (await server.ask('/api/v1/sessions?limit=1')).json()) as {
      items: { session_key: string }[];
    };
    const path = `/api/v1/sessions/${items[0]?.session_key}/ratings`;
    return server.ask(path, { method: 'POST', headers: json, body: '{"rating":3}' });
  };

  it('that others hold is answered with 503 and when to ask again; then it is taken', async () => {
    const server = await startTestServer();
    expect((await rate(server)).status).toBe(201);
    const { letGo } = holdStore(server.store);
    const answer = await rate(server);
    letGo();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ code: 'STORE_BUSY' });
    expect((await rate(server)).status).toBe(201);
  });

  it('that is full is answered so too, and reading goes on', async () => {
    const { store, folder } = await startTestServer();
    const full = await openSqliteStore(store, store, { maxPages: 1 });
    const ports = { ...defaultPorts({ folder }), store: async () => full, close: () => full.close() };
    const other = await startTestServer({ withSessions: false, sessions: ports });
    const answers = [];
    for (let i = 0; i < 40; i += 1) answers.push(await rate(other));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get('retry-after')).toBe('30');
    expect(await refused[0]?.json()).toMatchObject({ code: 'STORE_FULL' });
    expect((await other.ask('/api/v1/sessions')).status).toBe(200);
  });
});
