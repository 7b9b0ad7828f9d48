import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../config.ts';
import { startTestServer } from '../server/testing/test-server.ts';
import { openStore } from '../store/open.ts';
import { type MonitorOptions, monitor } from './monitor.ts';

const TEXT =
  'Rain feeds the river. The river floods the plain in spring, and farmers build levees against it.';
const OUTPUT = {
  concepts: [{ label: 'Rain', sourceQuote: 'Rain feeds the river.', confidence: 0.9 }, { label: 'Steel' }],
  relationships: [{ source: 'Rain', target: 'Steel', predicate: 'CAUSES' }],
};
/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:9';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'assay-monitor-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** What waits in it, for whichever server. */
const spilledIn = (spill: string) => globSync('**/*.jsonl', { cwd: spill });

function watched<Args extends unknown[], Result>(
  decompose: (...args: Args) => Result,
  options: MonitorOptions<Args, Result>,
) {
  const notes: string[] = [];
  const made = monitor(decompose, { spill: folder(), onNote: (text) => notes.push(text), ...options });
  onTestFinished(() => made.close());
  return { decompose: made, notes };
}

async function recordsIn(store: string) {
  const opened = await openStore(store);
  const records = await opened.readDecompositions();
  const texts = await Promise.all(records.map(({ id }) => opened.readDecompositionText(id)));
  await opened.close();
  return { records, texts };
}

it('gives what the function gives, in every form, and what it throws', async () => {
  const service = {
    name: 'mine',
    later: async (text: string) => ({ concepts: [{ label: text }] }),
    now(this: { name: string }, a: number, b: number) {
      return `${this.name} ${a + b}`;
    },
  };
  const options = { url: NOBODY, spill: false as const, onNote: () => {} };
  const [later, now] = [monitor(service.later, options), monitor(service.now, options)];
  expect(await later('x')).toEqual({ concepts: [{ label: 'x' }] });
  expect(now.call(service, 1, 2)).toBe('mine 3');
  expect(now.name).toBe('now');
  const fault = new Error('no');
  const [throws, rejects] = [
    monitor(() => {
      throw fault;
    }, options),
    monitor(() => Promise.reject(fault), options),
  ];
  expect(() => throws()).toThrow(fault);
  await expect(rejects()).rejects.toBe(fault);
  class Special extends Promise<number> {
    extra = 'kept';
  }
  const special = monitor(() => new Special((resolve) => resolve(1)), options);
  expect(special().extra).toBe('kept');
  for (const one of [later, now, throws, rejects, special]) await one.close();
});

it('records calls with what came of them, sampled ones verified, and no text unless it is told to', async () => {
  const config = configSchema.parse({ production: { keepText: true } });
  const { url, store } = await startTestServer({ withSessions: false, config });
  const answer = async (text: string) =>
    text === 'fail' ? Promise.reject(new TypeError(text)) : { graph: { ...OUTPUT } };
  const options = {
    url,
    promptVersion: 'v2',
    sampleRate: 1,
    map: { output: 'graph' },
    describe: () => ({ topic: 'rivers', costUsd: 0.01, model: 'm' }),
  };
  const { decompose } = watched(answer, options);
  const result = await decompose(TEXT);
  await expect(decompose('fail')).rejects.toThrow(TypeError);
  await decompose.flush();
  expect(decompose.counts()).toEqual({ sent: 2, waiting: 0, spilled: 0, dropped: 0, queued: 0 });
  const { records, texts } = await recordsIn(store);
  const [ok, failed] = records.toSorted((a, b) => b.status.localeCompare(a.status));
  expect(ok).toMatchObject({
    id: decompose.idOf(result),
    status: 'ok',
    promptVersion: 'v2',
    model: 'm',
    topic: 'rivers',
    costUsd: 0.01,
    concepts: 2,
    relationships: 1,
    textLength: TEXT.length,
    sample: { probability: 1 },
    quotes: { given: 1, verified: 1 },
    unmentioned: { concepts: 2, unmentioned: 1 },
  });
  expect(failed).toMatchObject({ status: 'error', errorKind: 'TypeError' });
  expect(texts).toEqual([undefined, undefined]);

  const { decompose: open } = watched(answer, { ...options, keepText: true });
  const withText = await open(TEXT);
  await open.flush();
  const after = await openStore(store);
  expect(await after.readDecompositionText(open.idOf(withText) ?? '')).toMatchObject({ text: TEXT });
  await after.close();
});

it('drops what there is no room for, says so, and never makes the caller wait', async () => {
  const { decompose, notes } = watched((n: number) => n, { url: NOBODY, queue: 10 });
  for (let i = 0; i < 500; i++) expect(decompose(i)).toBe(i);
  expect(decompose.counts()).toMatchObject({ queued: 10, dropped: 490 });
  expect(notes[0]).toBe('1 request could not be recorded: they arrive faster than they can be processed');
  expect(notes.length).toBeLessThan(20);
  await decompose.flush();
  expect(notes.filter((note) => note.startsWith('490 requests could not be recorded'))).toHaveLength(1);
});

it('loses nothing of a burst of ten thousand calls that leaves no time for anything else', async () => {
  const { url, store } = await startTestServer({ withSessions: false });
  const { decompose, notes } = watched((n: number) => ({ concepts: [`concept ${n}`] }), { url });
  for (let i = 0; i < 10_000; i++) decompose(i);
  await decompose.flush();
  expect(notes).toEqual([]);
  expect(decompose.counts()).toEqual({ sent: 10_000, waiting: 0, spilled: 0, dropped: 0, queued: 0 });
  const opened = await openStore(store);
  const cells = await opened.productionCells({ by: 'day' });
  await opened.close();
  expect(cells.reduce((sum, { requests }) => sum + requests, 0)).toBe(10_000);
});

it('records what a machine says whose clock is ahead as made when it came, and says so once', async () => {
  const { url, store } = await startTestServer({ withSessions: false });
  const { decompose, notes } = watched((n: number) => ({ concepts: [`concept ${n}`] }), {
    url,
    sampleRate: 1,
    now: () => Date.now() + 86_400_000,
  });
  for (let i = 0; i < 2; i++) {
    decompose(i);
    await decompose.flush();
  }
  const { records } = await recordsIn(store);
  expect(records).toHaveLength(2);
  for (const { at } of records) expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
  expect(notes).toEqual([expect.stringMatching(/^the clock of this machine is ahead of that of http/)]);
});

it('keeps records in a file while the server is away, and sends them when it is back', async () => {
  const first = await startTestServer({ withSessions: false });
  const port = Number(new URL(first.url).port);
  await first.stop();
  const spill = folder();
  const { decompose, notes } = watched(async (text: string) => ({ concepts: [{ label: text }] }), {
    url: first.url,
    spill,
  });
  for (let i = 0; i < 30; i++) await decompose(`concept ${i}`);
  await decompose.flush();
  expect(decompose.counts()).toMatchObject({ sent: 0, spilled: 30, dropped: 0 });
  expect(notes).toEqual([
    expect.stringMatching(/does not accept records right now .*they are stored and sent later/),
  ]);
  const second = await startTestServer({ withSessions: false, port });
  await decompose.flush();
  expect(decompose.counts()).toMatchObject({ sent: 30, spilled: 0, waiting: 0 });
  expect((await recordsIn(second.store)).records).toHaveLength(30);
  expect(spilledIn(spill)).toEqual([]);
});

it.each([301, 307])(
  'follows no redirect (%i): records go to the address that was named, or wait',
  async (status) => {
    const { url, store } = await startTestServer({ withSessions: false });
    const asked: string[] = [];
    const moved = createServer((request, response) => {
      asked.push(request.method ?? '');
      response.writeHead(status, { location: new URL(request.url ?? '', url).href }).end();
    });
    onTestFinished(() => void moved.close());
    await once(moved.listen(0, '127.0.0.1'), 'listening');
    const { port } = moved.address() as AddressInfo;
    const { decompose, notes } = watched((text: string) => ({ concepts: [{ label: text }] }), {
      url: `http://127.0.0.1:${port}`,
    });
    decompose('a');
    await decompose.flush();
    expect(asked).toEqual(['POST']);
    expect(decompose.counts()).toMatchObject({ sent: 0, spilled: 1, dropped: 0 });
    expect(notes).toEqual([expect.stringContaining(`(${status}: it redirects to ${new URL(url).origin}`)]);
    expect((await recordsIn(store)).records).toEqual([]);
  },
);

it('keeps no more in the file than it may, and says what it dropped', async () => {
  const spill = folder();
  const { decompose, notes } = watched((n: number) => n, { url: NOBODY, spill, spillBytes: 1000 });
  for (let i = 0; i < 100; i++) decompose(i);
  await decompose.flush();
  const { spilled, dropped } = decompose.counts();
  expect(spilled + dropped).toBe(100);
  expect(dropped).toBeGreaterThan(50);
  const [file = ''] = spilledIn(spill);
  expect(readFileSync(join(spill, file)).length).toBeLessThanOrEqual(1000);
  expect(notes.at(-1)).toMatch(/^\d+ requests could not be recorded: there is no room/);
});

it('is not broken by a function that describes calls wrongly', async () => {
  const { url } = await startTestServer({ withSessions: false });
  const { decompose, notes } = watched((text: string) => ({ concepts: [text] }), {
    url,
    describe: ({ args: [text] }) => {
      if (text === 'throw') throw new Error('not mine');
      return { costUsd: text === 'bad' ? -1 : 0.01 };
    },
  });
  for (const text of ['throw', 'bad', 'good']) expect(decompose(text)).toEqual({ concepts: [text] });
  await decompose.flush();
  expect(decompose.counts()).toMatchObject({ sent: 1, dropped: 2 });
  expect(notes.join('\n')).toMatch(/not mine/);
  expect(notes.join('\n')).toMatch(/refuses them/);
});

it('counts a stream as a call, and nothing of what it does not know', async () => {
  const { url, store } = await startTestServer({ withSessions: false });
  const { decompose } = watched(
    async function* (text: string) {
      yield text;
    },
    { url },
  );
  for await (const _ of decompose('a')) expect(_).toBe('a');
  await decompose.flush();
  const [record] = (await recordsIn(store)).records;
  expect(record?.status).toBe('ok');
  expect(record?.concepts).toBeUndefined();
});

it.each(['idle', 'exit', 'signal'])('loses nothing when a process ends by %s', async (way) => {
  const { url, store } = await startTestServer({ withSessions: false });
  const spill = folder();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'testing/service.ts'), way, url, spill]);
  const [code, signal] = await once(child, 'exit');
  expect([code, signal]).toEqual(way === 'signal' ? [null, 'SIGTERM'] : [0, null]);
  // What could not be sent in time is sent by the next process that watches.
  if (way !== 'idle') expect(spilledIn(spill)).toHaveLength(1);
  const { decompose } = watched((n: number) => n, { url, spill });
  await decompose.flush();
  expect((await recordsIn(store)).records).toHaveLength(3);
  expect(spilledIn(spill)).toEqual([]);
});
