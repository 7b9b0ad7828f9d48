import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import { configSchema } from '../config.ts';
import { defaultPorts } from '../operations/default-ports.ts';
import { openStore } from '../store/open.ts';
import { startTestServer } from './testing/test-server.ts';

const TEXT = 'Rain feeds the river, and nobody else may read this.';

it('takes spans of an instrumented service as requests, and puts nothing of them into transcripts', async () => {
  const config = configSchema.parse({ production: { sampleRate: 1 } });
  const { url, store, folder } = await startTestServer({ withSessions: false, config });
  const exporter = new OTLPTraceExporter({ url: new URL('/v1/traces', url).href });
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  const tracer = provider.getTracer('service');
  const start = Date.UTC(2026, 10, 2, 10);
  const good = tracer.startSpan('decompose', {
    startTime: start,
    attributes: {
      'assay.decomposition.id': 'req-1',
      'assay.decomposition.prompt_version': 'v3',
      'assay.decomposition.topic': 'rivers',
      'assay.decomposition.cost_usd': 0.03,
      'assay.decomposition.text': TEXT,
      'assay.decomposition.output': JSON.stringify({ concepts: [{ label: 'Rain' }, { label: 'Steel' }] }),
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.usage.input_tokens': 900,
    },
  });
  good.end(start + 1500);
  const bad = tracer.startSpan('decompose', {
    startTime: start,
    attributes: { 'assay.decomposition.prompt_version': 'v3', 'error.type': 'timeout' },
  });
  bad.setStatus({ code: SpanStatusCode.ERROR });
  bad.end(start + 9000);
  await provider.shutdown();

  const opened = await openStore(store);
  const records = await opened.readDecompositions();
  await opened.close();
  const failed = records.find(({ status }) => status === 'error');
  expect(failed).toMatchObject({ errorKind: 'timeout', promptVersion: 'v3', latencyMs: 9000 });
  expect(records.find(({ id }) => id === 'req-1')).toMatchObject({
    at: '2026-11-02T10:00:00.000Z',
    latencyMs: 1500,
    costUsd: 0.03,
    inputTokens: 900,
    model: 'gpt-5-mini',
    promptVersion: 'v3',
    topic: 'rivers',
    concepts: 2,
    textLength: TEXT.length,
    unmentioned: { concepts: 2, unmentioned: 1 },
  });
  for (const path of globSync('**/*.jsonl', { cwd: folder }))
    expect(readFileSync(join(folder, path), 'utf8')).not.toContain('nobody else');
});

it('deletes texts and requests when their time is over, and takes none of them again', async () => {
  const recording = { sampleRate: 1, keepText: true };
  const config = configSchema.parse({ production: { ...recording, textDays: 10, recordDays: 20 } });
  const now = () => new Date('2026-11-30T12:00:00.000Z');
  const first = await startTestServer({
    withSessions: false,
    config: configSchema.parse({ production: recording }),
    now,
  });
  const body = [5, 15, 25].map((n) => ({
    id: `${n}`,
    at: `2026-11-${String(30 - n).padStart(2, '0')}T12:00:00.000Z`,
    text: TEXT,
    output: { concepts: [{ label: 'Rain' }] },
  }));
  const headers = { 'content-type': 'application/json' };
  await first.ask('/api/v1/decompositions', { method: 'POST', headers, body: JSON.stringify(body) });
  await first.stop();
  const second = await startTestServer({
    withSessions: false,
    config,
    project: { ...defaultPorts({ store: first.store, folder: first.folder }), now },
  });
  const again = await second.ask('/api/v1/decompositions', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(await again.json()).toMatchObject({ added: 0, known: 3 });
  await second.stop();
  const opened = await openStore(first.store);
  expect((await opened.readDecompositions()).map(({ id }) => id)).toEqual(['15', '5']);
  expect(await opened.readDecompositionText('15')).toBeUndefined();
  expect((await opened.readDecompositionText('5'))?.text).toBe(TEXT);
  const days = await opened.productionCells({ by: 'day' });
  expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
  await opened.close();
});
