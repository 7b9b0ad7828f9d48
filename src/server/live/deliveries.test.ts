import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sessionEvent } from '../../api/schema/session-event.ts';
import { configSchema } from '../../config.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { deliveryTargets } from '../../operations/session/delivery-targets.ts';
import { KEYS, startScoreServers } from '../../operations/session/testing/score-servers.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const LINES = readFileSync('test/fixtures/session/claude-code-turns/5f0c.jsonl', 'utf8');
const SECRET = 'a secret of two';

type Heard = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** Somebody who is told of events, and answers with each of `statuses` once before all is well. */
async function listener(statuses: number[] = []) {
  const heard: Heard[] = [];
  let onDelivered = () => {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    heard.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(statuses.shift() ?? 200).end();
    onDelivered();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const until = async (count: number) => {
    while (heard.length < count)
      await new Promise<void>((resolve) => {
        onDelivered = resolve;
      });
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, until };
}

async function telling(session: Record<string, unknown>, over?: TestServer): Promise<TestServer> {
  const { store, folder } = over ?? {};
  return startTestServer({
    withSessions: false,
    config: configSchema.parse({ session }),
    ...(store !== undefined && folder !== undefined && { sessions: defaultPorts({ store, folder }) }),
    machine: { home: folder ?? '/dev/null/nowhere', environment: { ASSAY_WEBHOOK_SECRET: SECRET, ...KEYS } },
  });
}

const send = ({ ask }: TestServer, id: string, body = LINES) =>
  ask(`/api/v1/sessions/${id}/events?ended=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  });

describe('a webhook', () => {
  it('is told of a session that has ended, signed, and again until it answers well', async () => {
    const { url, heard, until } = await listener([500, 503]);
    const server = await telling({ webhook: `${url}/hook` });
    await send(server, 'one');
    await until(3);
    const [first, , last] = heard;
    const {
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': signature,
    } = last?.headers ?? {};
    expect(id).toBe(first?.headers['webhook-id']);
    const sum = createHmac('sha256', SECRET).update(`${id}.${seconds}.${last?.body}`).digest('base64');
    expect(signature).toBe(`v1,${sum}`);
    const event = sessionEvent.parse(JSON.parse(last?.body ?? ''));
    expect(event).toMatchObject({ event_id: id, type: 'session.scored', session_id: '5f0c' });
  });

  it('is told after a restart what it was not told before, and nothing twice that it took', async () => {
    const gone = await telling({ webhook: 'http://127.0.0.1:9/' });
    await send(gone, 'one');
    while (!gone.lines.some((line) => line.includes('not delivered')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    await gone.stop();
    const { url, heard, until } = await listener();
    const next = await telling({ webhook: url }, gone);
    await until(1);
    await next.stop();
    const again = await telling({ webhook: url }, gone);
    await send(again, 'two', LINES.replaceAll('5f0c', '6a1d').replaceAll(/"([ua]-|msg_|req_)/g, '"other-$1'));
    await until(2);
    expect(heard.map(({ body }) => JSON.parse(body).session_id)).toEqual(['5f0c', '6a1d']);
  });

  it('is refused without a secret', () => {
    const { session } = configSchema.parse({ session: { webhook: 'http://127.0.0.1:9/' } });
    expect(() => deliveryTargets(session, {})).toThrow('the variable ASSAY_WEBHOOK_SECRET has no secret');
  });
});

describe('a collector of OpenTelemetry', () => {
  it('is sent the score as gen_ai.evaluation.result', async () => {
    const { url, heard, until } = await listener();
    const server = await telling({ evaluations: url });
    await send(server, 'one');
    await until(1);
    expect(heard[0]?.path).toBe('/v1/logs');
    const [group] = JSON.parse(heard[0]?.body ?? '').resourceLogs;
    const [record] = group.scopeLogs[0].logRecords;
    expect(record.eventName).toBe('gen_ai.evaluation.result');
    const attributes = new Map(
      record.attributes.map((one: { key: string; value: object }) => [one.key, Object.values(one.value)[0]]),
    );
    expect(attributes.get('gen_ai.evaluation.name')).toBe('assay.session_quality');
    const { items } = (await (await server.ask('/api/v1/sessions')).json()) as { items: { q: number }[] };
    const [row] = items;
    expect(row?.q).toBeGreaterThan(0);
    expect(attributes.get('gen_ai.evaluation.score.value')).toBe(row?.q);
    expect(attributes.get('gen_ai.conversation.id')).toBe('5f0c');
  });
});

describe('services that keep scores', () => {
  it('are given Q, its tier and the outcome of a session that has ended', async () => {
    const { url, kept } = await startScoreServers();
    const server = await telling({ langfuse: url, phoenix: url });
    await send(server, 'one');
    while (kept.size < 5) await new Promise((resolve) => setTimeout(resolve, 20));
    const scores = [...kept.values()].map(({ name, of }) => `${name} of ${of}`).sort();
    expect(scores).toEqual([
      'assay.session_outcome of 5f0c',
      'assay.session_outcome of 5f0c',
      'assay.session_quality of 5f0c',
      'assay.session_quality of 5f0c',
      'assay.session_tier of 5f0c',
    ]);
  });

  it('are refused without a key', () => {
    const { session } = configSchema.parse({ session: { langfuse: 'https://langfuse.example' } });
    expect(() => deliveryTargets(session, { LANGFUSE_PUBLIC_KEY: 'pk' })).toThrow(
      'LANGFUSE_SECRET_KEY is not set',
    );
  });
});
