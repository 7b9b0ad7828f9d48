import { afterEach, expect, it } from 'vitest';
import { llmExtractor } from '../decomposition/ingest/extractors/llm.ts';
import { type ModelServer, type Reply, startModelServer } from './testing/model-server.ts';

const ANSWER = {
  concepts: ['yeast', 'gas'].map((label) => ({
    label,
    aliases: [],
    sourceQuote: 'Yeast releases gas',
    confidence: 0.9,
  })),
  relationships: [],
};
let server: ModelServer | undefined;
afterEach(() => server?.close());

async function extract(replies: readonly Reply[], text: string, stream = false) {
  server = await startModelServer((_, index) => replies[index] ?? { kind: 'hang' });
  const extractor = await llmExtractor({
    model: 'ollama/qwen3:8b',
    prompts: [{ name: 'decompose-concepts-v1.0', version: 'v1.0', text: 'Decompose.', hash: 'a'.repeat(64) }],
    env: { OLLAMA_HOST: server.url.replace('http://', '') },
    firstBackoffMs: 1,
    stream,
  });
  return extractor.extract({ id: 'bread', text, trial: 1 }, new AbortController().signal);
}

it.each([false, true])(
  'asks a local server with a schema and a window for the whole text (streaming %s)',
  async (stream) => {
    const text = 'Yeast releases gas. '.repeat(2000);
    const output = await extract([{ kind: 'answer', text: JSON.stringify(ANSWER) }], text, stream);
    expect(output).toMatchObject({ ...ANSWER, model: 'ollama/qwen3:8b' });
    expect(output.costUsd).toBeUndefined();
    const [request] = server?.requests ?? [];
    expect(request).toMatchObject({ path: '/api/chat', system: 'Decompose.' });
    expect(request?.user === text).toBe(true);
    const body = JSON.parse(request?.body ?? '{}');
    expect(body).toMatchObject({ model: 'qwen3:8b', stream: false, options: { temperature: 0 } });
    expect(body.format.properties).toHaveProperty('relationships');
    expect(body.options.num_ctx).toBeGreaterThanOrEqual(text.length / 4 + body.options.num_predict);
  },
);

it('asks for the fields of a case, and reads them', async () => {
  const fields = [{ name: 'gas', value: 'carbon dioxide', sourceQuote: 'Yeast releases gas' }];
  server = await startModelServer(() => ({ kind: 'answer', text: JSON.stringify({ ...ANSWER, fields }) }));
  const extractor = await llmExtractor({
    model: 'ollama/qwen3:8b',
    baseUrl: server.url,
    prompts: [{ name: 'decompose-concepts-v1.0', version: 'v1.0', text: 'Decompose.', hash: 'a'.repeat(64) }],
    env: {},
  });
  const asked = [{ name: 'gas', type: 'enum' as const, values: ['carbon dioxide', 'methane'] }];
  const task = { id: 'bread', text: 'Yeast releases gas.', trial: 1, fields: asked };
  expect((await extractor.extract(task, new AbortController().signal)).fields).toEqual(fields);
  expect(server.requests[0]?.system).toContain('gas: enum, one of carbon dioxide, methane');
  expect(JSON.parse(server.requests[0]?.body ?? '{}').format.properties).toHaveProperty('fields');
});

it('asks again after an answer that was cut, and names a model that is not there', async () => {
  const cut: Reply = { kind: 'answer', text: '{"concepts": [', finish: 'length' };
  await expect(extract([cut, cut, cut], 'Yeast.')).rejects.toThrow(/cut off/);
  await server?.close();
  const missing: Reply = { kind: 'status', status: 404, body: '{"error":"model \'qwen3:8b\' not found"}' };
  await expect(extract([missing], 'Yeast.')).rejects.toThrow(/not found/);
});
