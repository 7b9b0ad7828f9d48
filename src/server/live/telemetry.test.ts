import { gzipSync } from 'node:zlib';
import { SpanStatusCode } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { encode } from '../../session/ingest/formats/otlp/testing/encode.ts';
import type { Random } from '../../stats/random.ts';
import { seededByRun } from '../../testing/seed.ts';
import { chatSpans, traceRequest } from '../testing/chat-spans.ts';
import { rowsOfSent, scoredRows, sentTexts } from '../testing/stored-rows.ts';
import { startTestServer } from '../testing/test-server.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const PROTOBUF_TYPE = { 'content-type': 'application/x-protobuf' };

const message = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });

/** Two requests to a model and a tool that fails, as an instrumentation records them. */
async function talk(exporter: SpanExporter, conversation: string): Promise<void> {
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  const tracer = provider.getTracer('talk');
  const common = { 'gen_ai.conversation.id': conversation, 'gen_ai.provider.name': 'openai' };
  const asked = message('user', 'Which shelf is the atlas on?');
  const history = [[asked], [asked, message('assistant', 'I will look.'), message('user', 'Please do.')]];
  for (const [turn, messages] of history.entries()) {
    const chat = tracer.startSpan('chat', {
      attributes: {
        ...common,
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-5-mini',
        'gen_ai.usage.input_tokens': 100 + turn,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.input.messages': JSON.stringify(messages),
        'gen_ai.output.messages': JSON.stringify([
          message('assistant', turn === 0 ? 'I will look.' : 'Shelf 3.'),
        ]),
      },
    });
    chat.end();
    const tool = tracer.startSpan('execute_tool find', {
      attributes: { ...common, 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'find' },
    });
    tool.setStatus({ code: SpanStatusCode.ERROR, message: 'no such shelf' });
    tool.end();
  }
  await provider.shutdown();
}

const request = (conversation: string, count: number) => traceRequest(chatSpans(conversation, count));

describe('OTLP over HTTP', () => {
  it.each(['protobuf', 'json'])(
    'takes what the OpenTelemetry SDK sends as %s, packed or not',
    async (encoding) => {
      const server = await startTestServer({ withSessions: false });
      const options = (compression: 'gzip' | 'none') => ({
        url: `${server.url}v1/traces`,
        compression: compression as never,
      });
      const Exporter = encoding === 'json' ? JsonTraceExporter : ProtobufTraceExporter;
      await talk(new Exporter(options('gzip')), 'talk-packed');
      await talk(new Exporter(options('none')), 'talk-plain');
      const rows = await scoredRows(server);
      expect(rows.map(({ sessionId }) => sessionId).sort()).toEqual(['talk-packed', 'talk-plain']);
      expect(rows).toEqual(await rowsOfSent(server.store));
      for (const row of rows)
        expect(row).toMatchObject({ source: 'otlp', inputTokens: 201, outputTokens: 40 });
    },
  );

  it('takes what an agent logs of itself', async () => {
    const server = await startTestServer({ withSessions: false });
    const provider = new LoggerProvider({
      processors: [
        new BatchLogRecordProcessor({ exporter: new OTLPLogExporter({ url: `${server.url}v1/logs` }) }),
      ],
    });
    const logger = provider.getLogger('agent');
    const log = (name: string, attributes: Record<string, string>) =>
      logger.emit({
        body: `claude_code.${name}`,
        attributes: { 'event.name': name, 'session.id': 'logged-1', ...attributes },
      });
    log('user_prompt', { prompt: 'Which shelf is the atlas on?' });
    log('api_request', {
      model: 'claude-sonnet-4-5',
      input_tokens: '100',
      output_tokens: '20',
      cost_usd: '0.01',
    });
    log('tool_result', { tool_name: 'Bash', success: 'true' });
    logger.emit({ body: 'something else entirely' });
    await provider.shutdown();
    const [row] = await scoredRows(server);
    expect(row).toMatchObject({ sessionId: 'logged-1', source: 'otlp-logs', costUsd: 0.01 });
  });

  it('keeps a request that is sent again once, whoever waits for it', async () => {
    const server = await startTestServer({ withSessions: false });
    const body = JSON.stringify(request('again', 3));
    const send = () => server.ask('/v1/traces', { method: 'POST', headers: JSON_TYPE, body });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await send();
    const rows = await scoredRows(server);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.facts).toMatchObject({ file: { lines: 3 } });
  });

  it('goes on with a conversation in later requests, and updates its row', async () => {
    const server = await startTestServer({ withSessions: false });
    const send = (body: unknown) =>
      server.ask('/v1/traces', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
    await send(request('one', 1));
    const [first] = await scoredRows(server);
    await send(request('one', 3));
    const rows = await scoredRows(server);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.sessionKey).toBe(first?.sessionKey);
    expect(rows[0]?.revision).not.toBe(first?.revision);
    expect(await sentTexts(server.store)).toHaveProperty('size', 1);
  });

  it('says which spans it does not keep, in the encoding of the request', async () => {
    const { ask } = await startTestServer({ withSessions: false });
    const body = {
      resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'nobody' }, ...chatSpans('known', 1)] }] }],
    };
    const accepted = await ask('/v1/traces', {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(body),
    });
    expect(accepted.status).toBe(200);
    expect(await accepted.json()).toEqual({
      partialSuccess: {
        rejectedSpans: '1',
        errorMessage: '1 spans have no trace id or span id and were not stored',
      },
    });
    // A group of one scope of one empty span.
    const binary = Buffer.from('0a0412021200', 'hex');
    const answer = await ask('/v1/traces', { method: 'POST', headers: PROTOBUF_TYPE, body: binary });
    expect(answer.headers.get('content-type')).toBe('application/x-protobuf');
    expect([...new Uint8Array(await answer.arrayBuffer())].slice(0, 4)).toEqual([10, 59, 8, 1]);
    expect((await ask('/v1/traces', { method: 'POST', headers: JSON_TYPE, body: '{}' })).status).toBe(200);
  });

  it('refuses what is no request, and what unpacks to too much', async () => {
    const { ask } = await startTestServer({ withSessions: false });
    const send = (headers: Record<string, string>, body: string | Buffer) =>
      ask('/v1/traces', { method: 'POST', headers, body });
    expect((await send(PROTOBUF_TYPE, Buffer.from('0aff', 'hex'))).status).toBe(400);
    expect((await send(JSON_TYPE, '{"resourceSpans": 1}')).status).toBe(400);
    expect((await send(JSON_TYPE, '['.repeat(100_000))).status).toBe(400);
    const nested = `${'{"arrayValue":{"values":['.repeat(5000)}${']}}'.repeat(5000)}`;
    const attribute = `{"key":"gen_ai.conversation.id","value":${nested}}`;
    const deep = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[${attribute}]}]}]}]}`;
    expect((await send(JSON_TYPE, deep)).status).toBe(400);
    expect((await send({ 'content-type': 'text/plain' }, 'x')).status).toBe(400);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect((await send({ ...PROTOBUF_TYPE, 'content-encoding': 'gzip' }, bomb)).status).toBe(413);
    // Five million messages of two bytes each.
    const many = Buffer.concat([
      Buffer.from([0x0a, 0x80, 0xad, 0xe2, 0x04]),
      Buffer.alloc(10_000_000, Buffer.from([0x12, 0x00])),
    ]);
    expect((await send(PROTOBUF_TYPE, many)).status).toBe(400);
  });
});

describe('bodies that were damaged on the way', () => {
  it('are taken or refused, and hold nobody up', async () => {
    const { ask } = await startTestServer({ withSessions: false });
    const whole = encode(request('damaged', 5));
    const chance = seededByRun();
    for (let i = 0; i < 300; i += 1) {
      const body = damaged(whole, chance);
      const { status } = await ask('/v1/traces', { method: 'POST', headers: PROTOBUF_TYPE, body });
      expect([200, 400]).toContain(status);
    }
    expect((await ask('/healthz')).status).toBe(200);
    const sound = await ask('/v1/traces', { method: 'POST', headers: PROTOBUF_TYPE, body: whole });
    expect(sound.status).toBe(200);
  });
});

/** Some bytes changed, taken out, put in or cut off. */
function damaged(bytes: Uint8Array, chance: Random): Buffer {
  let body = Buffer.from(bytes);
  for (let times = 1 + chance.below(4); times > 0; times -= 1) {
    const at = chance.below(body.length);
    const [before, after] = [body.subarray(0, at), body.subarray(at)];
    const any = Buffer.from([chance.below(256), chance.below(256)]);
    const kinds = [
      Buffer.concat([before, any, after.subarray(2)]),
      Buffer.concat([before, after.subarray(1 + chance.below(50))]),
      Buffer.concat([before, any, after]),
      Buffer.from(body.subarray(0, at + 1)),
    ];
    body = kinds[chance.below(kinds.length)] ?? body;
    if (body.length === 0) return Buffer.from([0x0a]);
  }
  return body;
}
