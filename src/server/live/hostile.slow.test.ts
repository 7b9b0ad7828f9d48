/** Clients that mean harm, at the addresses that agents send to: others are served, and memory stays as it is. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSocket } from '../testing/raw-request.ts';
import { senders } from '../testing/senders.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';

const [tracing] = senders(4000);
let turn = 0;

/**
 * What somebody else sends meanwhile is taken. Each comes over a connection of its own: one that is kept may be closed, as
 * any may after seconds of silence, just when a busy machine gets to sending the next over it.
 */
async function serves({ ask }: ServerProcess): Promise<readonly string[]> {
  const { path, headers, body } = tracing?.requests[turn++] ?? { path: '', headers: {}, body: '' };
  const own = { connection: 'close' };
  const taken = await ask(path, { method: 'POST', headers: { ...headers, ...own }, body });
  const shown = await ask('/api/v1/sessions', { headers: own });
  return Promise.all([taken, shown].map(said));
}

/** With what it says, where that is a problem: a failure tells its cause. */
async function said(answer: Response): Promise<string> {
  const text = await answer.text();
  return answer.status === 200 ? '200' : `${answer.status} ${text}`;
}

const SERVED = ['200', '200'];

/**
 * Memory is given back when the machine has time for it, and the allocator may keep some.
 * An attack that succeeds takes gigabytes.
 */
async function isBackTo(before: number, { memory }: ServerProcess): Promise<void> {
  await expect.poll(() => memory() - before, { timeout: 30_000, interval: 500 }).toBeLessThan(400);
}

let server: ServerProcess;
let before = 0;

/** The one server of all attacks has done all of its kinds of work before: what it needs for them it has. */
async function startWarm(): Promise<void> {
  server = await startServerProcess();
  for (let i = 0; i < 200; i += 1) expect(await serves(server)).toEqual(SERVED);
  await attackWith(server, 4, () => endless(server));
  await sleep(1500);
  before = server.memory();
}

/** Until none of them is left; gives the most memory that there was meanwhile. */
async function attackWith(
  server: ServerProcess,
  count: number,
  attack: () => Promise<unknown>,
): Promise<number> {
  let most = 0;
  let isOver = false;
  const attacks = Promise.all(Array.from({ length: count }, attack)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    expect(await serves(server)).toEqual(SERVED);
    most = Math.max(most, server.memory());
    await sleep(50);
  }
  await attacks;
  return most;
}

const HEAD = (type: string, more: string) =>
  `POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${more}\r\n\r\n`;
const PIECE = `10000\r\n${' '.repeat(65_536)}\r\n`;

/** Sends until it is cut off. */
async function endless({ url }: ServerProcess): Promise<void> {
  const socket = quiet(openSocket(url));
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(HEAD('application/json', 'Transfer-Encoding: chunked'));
  while (!socket.destroyed)
    if (!socket.write(PIECE))
      await Promise.race([new Promise<void>((resolve) => socket.once('drain', resolve)), ended]);
  await ended;
}

/** Sends 12 MB and then nothing more, for a while. */
async function stuck({ url }: ServerProcess): Promise<void> {
  const socket = quiet(openSocket(url));
  socket.write(HEAD('application/json', 'Content-Length: 16000000'));
  for (let i = 0; i < 180 && !socket.destroyed; i += 1)
    if (!socket.write(' '.repeat(65_536)))
      await Promise.race([
        new Promise((resolve) => socket.once('drain', resolve)),
        new Promise((resolve) => socket.once('close', resolve)),
        sleep(3000),
      ]);
  await sleep(3000);
  socket.destroy();
}

function quiet(socket: Socket): Socket {
  socket.on('error', () => {});
  socket.resume();
  return socket;
}

/** Without /proc nothing is known of another process. */
describe.skipIf(!existsSync('/proc/self/status'))('memory', { timeout: 600_000 }, () => {
  beforeAll(startWarm, 600_000);
  afterAll(() => server.stop());

  it('is bounded while a hundred send bodies without end', async () => {
    const most = await attackWith(server, 100, () => endless(server));
    expect(most - before).toBeLessThan(400);
    await isBackTo(before, server);
  });

  it('is bounded while forty stop in the middle of a large body', async () => {
    const most = await attackWith(server, 40, () => stuck(server));
    expect(most - before).toBeLessThan(400);
    await isBackTo(before, server);
  });

  it('is bounded while a hundred send little that unpacks to much', async () => {
    const bomb = gzipSync(Buffer.alloc(500_000_000, ' '));
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
    const statuses: number[] = [];
    const most = await attackWith(server, 100, async () => {
      const answer = await server.ask('/v1/traces', { method: 'POST', headers, body: bomb });
      statuses.push(answer.status);
    });
    expect(new Set(statuses)).toEqual(new Set([413]));
    expect(most - before).toBeLessThan(400);
    await isBackTo(before, server);
  });

  it('opens no file for each name that a sender chooses', async () => {
    const send = async (n: number) => {
      const headers = { 'content-type': 'application/x-ndjson', 'assay-project': `project-${n}` };
      const path = `/api/v1/sessions/session-${n}/events?ended=true`;
      expect((await server.ask(path, { method: 'POST', headers, body: '{"type":"user"}\n' })).status).toBe(
        200,
      );
    };
    await send(0);
    const before = server.openFiles();
    for (let n = 1; n <= 300; n += 1) await send(n);
    expect(server.openFiles()).toBeLessThan(before + 50);
  }, 120_000);

  it('is bounded while ten thousand connect and say nothing', async () => {
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    let opened = 0;
    for (let i = 0; i < 100; i += 1) {
      const some = Array.from({ length: 100 }, () => quiet(openSocket(server.url)));
      sockets.push(...some);
      await Promise.all(some.map((socket) => once(socket, 'connect')));
      opened += some.length;
      if (i % 10 === 0) expect(await serves(server)).toEqual(SERVED);
    }
    expect(opened).toBe(10_000);
    expect(await serves(server)).toEqual(SERVED);
    await isBackTo(before, server);
  });

  it('is bounded while two hundred listen, and all of them hear', async () => {
    const streams = await Promise.all(
      Array.from({ length: 200 }, async () => (await server.ask('/api/v1/events')).body),
    );
    const heard = Promise.all(
      streams.map(async (stream) => {
        for await (const text of stream?.pipeThrough(new TextDecoderStream()) ?? [])
          if (text.includes('event: session.')) return true;
        return false;
      }),
    );
    expect(await serves(server)).toEqual(SERVED);
    expect(await heard).toEqual(Array.from({ length: 200 }, () => true));
    await isBackTo(before, server);
  });
});
