import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { commandFolder } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

describe('an agent that starts assay mcp', () => {
  const folder = commandFolder();

  it('as docs/mcp.md says reads the scores of this machine, and the process ends with it', async () => {
    const store = join(folder.path, '.local/share/assay/assay.db');
    const scored = ['sessions', 'score', join(process.cwd(), 'examples/session'), '--store', store];
    expect((await folder.assay(...scored)).status).toBe(0);
    const [, settings = ''] = /^```json\n([\s\S]*?)^```$/m.exec(readFileSync('docs/mcp.md', 'utf8')) ?? [];
    const { mcpServers } = JSON.parse(settings) as {
      mcpServers: { assay: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.assay;
    const launched = args.map((word) => word.replace('/path/to/assay/bin/assay.js', LAUNCHER));
    expect(launched).toContain(LAUNCHER);
    const transport = new StdioClientTransport({
      command,
      args: launched,
      cwd: folder.path,
      env: bareEnv(folder.path) as Record<string, string>,
      stderr: 'pipe',
    });
    const said: string[] = [];
    transport.stderr?.on('data', (text) => said.push(String(text)));
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const called = await client.callTool({ name: 'list_sessions', arguments: { limit: 1 } });
    const [content] = called.content as readonly { readonly text?: string }[];
    const { items, total } = JSON.parse(content?.text ?? '');
    expect(items).toHaveLength(1);
    expect(total).toBeGreaterThan(1);
    const ended = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await client.close();
    await ended;
    expect(said.join('')).toBe('');
  });
});
