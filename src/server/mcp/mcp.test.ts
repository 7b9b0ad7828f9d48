import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyedFetch } from '../../testing/server-keys.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { MCP_TOOLS } from './tools.ts';

async function connect({ url }: TestServer): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { fetch: keyedFetch }));
  onTestFinished(() => client.close());
  return client;
}

type Called = Awaited<ReturnType<Client['callTool']>>;

function textOf({ content }: Called): string {
  const [first] = content as readonly { readonly type: string; readonly text?: string }[];
  return first?.text ?? '';
}

describe('an agent over HTTP', () => {
  it('finds the tools, each with what it takes, and all of them only read', async () => {
    const client = await connect(await startTestServer());
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(client.getServerVersion()).toMatchObject({ name: 'assay', version });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(MCP_TOOLS.map(({ name }) => name));
    for (const { annotations, inputSchema } of tools) {
      expect(annotations?.readOnlyHint).toBe(true);
      expect(inputSchema.type).toBe('object');
    }
    const explain = tools.find(({ name }) => name === 'explain_session');
    expect(explain?.inputSchema.required).toEqual(['key']);
  });

  it('reads what the API answers', async () => {
    const server = await startTestServer();
    const client = await connect(server);
    const listed = JSON.parse(
      textOf(await client.callTool({ name: 'list_sessions', arguments: { limit: 2 } })),
    );
    expect(listed).toEqual(await (await server.ask('/api/v1/sessions?limit=2')).json());
    const key: string = listed.items[0].session_key;
    const explained = JSON.parse(
      textOf(await client.callTool({ name: 'explain_session', arguments: { key } })),
    );
    expect(explained).toEqual(await (await server.ask(`/api/v1/sessions/${key}/explanation`)).json());
    const { contents } = await client.readResource({ uri: `assay://sessions/${encodeURIComponent(key)}` });
    const [content] = contents as readonly { readonly text?: string }[];
    expect(JSON.parse(content?.text ?? '').session_key).toBe(key);
  });

  it('is told what is wrong with a question, and what to do', async () => {
    const client = await connect(await startTestServer());
    for (const given of [
      { name: 'list_sessions', arguments: { limit: 'many' } },
      { name: 'list_sessions', arguments: { flavour: 'sour' } },
      { name: 'explain_session', arguments: {} },
      { name: 'explain_session', arguments: { key: 'nobody' } },
      { name: 'explain_session', arguments: { key: { $ne: null } } },
    ]) {
      const called = await client.callTool(given);
      expect(called.isError).toBe(true);
      expect(textOf(called)).toMatch(/^[A-Z_]+: .+\. .+/);
      expect(textOf(called)).not.toContain('null');
    }
    const called = await client.callTool({ name: 'list_sessions', arguments: { limit: 'many' } });
    expect(textOf(called)).toContain('limit: is no number and should be a whole number');
  });
});

describe('every tool', () => {
  it('answers over a store with sessions, or says what is missing', async () => {
    const client = await connect(await startTestServer());
    for (const { name } of MCP_TOOLS) {
      const called = await client.callTool({ name, arguments: {} });
      expect(textOf(called).length, name).toBeGreaterThan(2);
      expect(textOf(called), name).not.toContain('INTERNAL');
    }
  });
});

describe('the address', () => {
  it('wants a token where others reach it, and no page of another site', async () => {
    const { ask } = await startTestServer();
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect(
      (await ask('/mcp', { ...init, headers: { ...init.headers, origin: 'https://evil.example' } })).status,
    ).toBe(403);
    expect(
      (await ask('/mcp', { ...init, headers: { ...init.headers, authorization: 'Bearer no' } })).status,
    ).toBe(401);
    expect((await ask('/mcp', { ...init, body: 'x'.repeat(3_000_000) })).status).toBe(413);
  });
});
