import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../config.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { holdStore } from '../../store/testing/change-store.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { scoredRows, sentLines } from '../testing/stored-rows.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

/** Longer than a page of a disk: where none is free, nothing of it has room. */
const LONG = 'a word '.repeat(2000);
const JSON_TYPE = { 'content-type': 'application/json' };

type Said = { readonly path: string; readonly headers: Record<string, string>; readonly body: string };

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
const identity = (turn: number) => ({
  traceId: 'a'.repeat(32),
  spanId: String(turn).padStart(16, 'b'),
  startTimeUnixNano: `${1_767_225_600 + turn}000000000`,
  endTimeUnixNano: `${1_767_225_600 + turn}500000000`,
});

/** The same at each of the three addresses. */
const SAYING: readonly ((turn: number) => Said)[] = [
  (turn) => {
    const output = JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: LONG }] }]);
    const attributes = [
      text('gen_ai.conversation.id', 'traced'),
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.request.model', 'gpt-5-mini'),
      text('gen_ai.output.messages', output),
    ];
    const spans = [{ ...identity(turn), name: 'chat', attributes }];
    const body = { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] };
    return { path: '/v1/traces', headers: JSON_TYPE, body: JSON.stringify(body) };
  },
  (turn) => {
    const record = {
      timeUnixNano: `${1_767_225_600 + turn}000000000`,
      body: { stringValue: 'claude_code.user_prompt' },
      attributes: [text('event.name', 'user_prompt'), text('session.id', 'logged'), text('prompt', LONG)],
    };
    const body = { resourceLogs: [{ resource: { attributes: [] }, scopeLogs: [{ logRecords: [record] }] }] };
    return { path: '/v1/logs', headers: JSON_TYPE, body: JSON.stringify(body) };
  },
  (turn) => {
    const line = {
      type: 'user',
      uuid: `line-${turn}`,
      parentUuid: turn === 0 ? null : `line-${turn - 1}`,
      sessionId: 'sent',
      cwd: '/nowhere',
      version: '2.1.0',
      timestamp: new Date(1.767e12 + turn * 1000).toISOString(),
      message: { role: 'user', content: LONG },
    };
    return {
      path: '/api/v1/sessions/sent/events',
      headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': `line-${turn}` },
      body: `${JSON.stringify(line)}\n`,
    };
  },
];

async function send({ ask }: TestServer, { path, headers, body }: Said) {
  const answer = await ask(path, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return { status: answer.status, retry: answer.headers.get('retry-after') };
}

describe('a disk that is full', () => {
  it('is answered with 503 and when to try again; then all is taken, and nothing is lost', async ({
    skip,
  }) => {
    const disk = smallDisk(8000);
    if (disk === undefined) return skip('this system lets nobody mount a small disk');
    const { folder } = disk;
    const store = join(folder, 'assay.db');
    const sessions = defaultPorts({ store, folder, storeWaitMs: 50 });
    const server = await startTestServer({ withSessions: false, sessions });
    for (const say of SAYING) expect(await send(server, say(0))).toMatchObject({ status: 200 });
    await scoredRows({ store });
    disk.fill();
    for (const say of SAYING) expect(await send(server, say(1))).toEqual({ status: 503, retry: '30' });
    for (const path of ['/healthz', '/api/v1/sessions']) expect((await server.ask(path)).status).toBe(200);
    disk.free();
    for (const say of SAYING) expect(await send(server, say(1))).toMatchObject({ status: 200 });
    const stored = await sentLines(store);
    for (const say of SAYING)
      for (const turn of [0, 1]) expect(stored.has(say(turn).body.trimEnd())).toBe(true);
    expect(await scoredRows({ store })).toHaveLength(3);
  });
});

describe('a store that others hold', () => {
  it('is answered with 503 and when to try again; what is sent again is stored', async () => {
    const server = await startTestServer({ withSessions: false });
    const { letGo } = holdStore(server.store);
    for (const say of SAYING) expect(await send(server, say(0))).toEqual({ status: 503, retry: '1' });
    letGo();
    for (const say of SAYING) expect(await send(server, say(0))).toMatchObject({ status: 200 });
    expect(await scoredRows(server)).toHaveLength(3);
  });
});

describe('an intake that holds all it may', () => {
  it('takes nothing more until there is room, and says so', async () => {
    const config = configSchema.parse({ session: { intakeMegabytes: 0.04 } });
    const server = await startTestServer({ withSessions: false, config });
    const [, , lines] = SAYING;
    const answers = [];
    for (let turn = 0; turn < 4; turn += 1) answers.push(lines && (await send(server, lines(turn))));
    expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 503, 503]);
    expect(answers.at(-1)?.retry).toBe('60');
    const [trace] = SAYING;
    expect(trace && (await send(server, trace(0)))).toEqual({ status: 503, retry: '60' });
    expect((await sentLines(server.store)).has(lines?.(1).body.trimEnd() ?? '')).toBe(true);
  });
});
