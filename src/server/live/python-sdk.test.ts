import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { rowsOfSent, scoredRows } from '../testing/stored-rows.ts';
import { startTestServer } from '../testing/test-server.ts';

/** One that has the packages `opentelemetry-sdk` and `opentelemetry-exporter-otlp-proto-http`. */
const PYTHON = process.env.ASSAY_PYTHON ?? 'python3';
const NEEDED = 'import opentelemetry.sdk.trace, opentelemetry.exporter.otlp.proto.http.trace_exporter';

const PROGRAM = `
import json, sys
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status, StatusCode

address, conversation, packing = sys.argv[1:]
exporter = OTLPSpanExporter(endpoint=address, compression=Compression(packing))
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(exporter))
tracer = provider.get_tracer('talk')
said = lambda role, text: json.dumps([{'role': role, 'parts': [{'type': 'text', 'content': text}]}])
for turn in range(2):
    with tracer.start_as_current_span('chat', attributes={
        'gen_ai.conversation.id': conversation,
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-5-mini',
        'gen_ai.usage.input_tokens': 100 + turn,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.input.messages': said('user', 'Which shelf is the atlas on?'),
        'gen_ai.output.messages': said('assistant', 'Shelf %d.' % turn),
    }):
        pass
    with tracer.start_as_current_span('execute_tool find', attributes={
        'gen_ai.conversation.id': conversation,
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'find',
    }) as tool:
        tool.set_status(Status(StatusCode.ERROR, 'no such shelf'))
provider.shutdown()
`;

it('takes what the OpenTelemetry SDK for Python sends, packed or not', async ({ skip }) => {
  if (spawnSync(PYTHON, ['-c', NEEDED]).status !== 0)
    return skip(`${PYTHON} has no OpenTelemetry SDK; ASSAY_PYTHON names one that has`);
  const server = await startTestServer({ withSessions: false });
  for (const packing of ['gzip', 'none']) {
    const words = ['-c', PROGRAM, `${server.url}v1/traces`, `python-${packing}`, packing];
    const [code] = await once(spawn(PYTHON, words, { stdio: 'inherit' }), 'exit');
    expect(code).toBe(0);
  }
  const rows = await scoredRows(server);
  expect(rows.map(({ sessionId }) => sessionId).sort()).toEqual(['python-gzip', 'python-none']);
  expect(rows).toEqual(await rowsOfSent(server.store));
  for (const row of rows) expect(row).toMatchObject({ source: 'otlp', inputTokens: 201, outputTokens: 40 });
});
