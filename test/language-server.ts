/** The YAML language server that editors run, on standard input and output, as far as tests ask it something. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

type Connection = {
  readonly listen: () => void;
  readonly dispose: () => void;
  readonly onRequest: (method: string, answer: (params: { items?: unknown[] }) => unknown) => void;
  readonly onNotification: (method: string, take: (params: Diagnostics) => void) => void;
  readonly sendRequest: (method: string, params?: unknown) => Promise<unknown>;
  readonly sendNotification: (method: string, params?: unknown) => Promise<void>;
};

type Diagnostics = { readonly uri: string; readonly diagnostics: readonly { readonly message: string }[] };

type JsonRpc = {
  readonly createMessageConnection: (reader: unknown, writer: unknown) => Connection;
  readonly StreamMessageReader: new (stream: unknown) => unknown;
  readonly StreamMessageWriter: new (stream: unknown) => unknown;
};

export type OpenedYaml = {
  /** What is offered at a place, by the names that are shown. */
  readonly complete: (line: number, character: number) => Promise<readonly string[]>;
  /** What it says is wrong with the file. */
  readonly faults: Promise<readonly string[]>;
};

/** Opens one text as the file at the path, asks, and ends the server. */
export async function withYamlServer<T>(
  load: ReturnType<typeof createRequire>,
  { path, text }: { readonly path: string; readonly text: string },
  ask: (opened: OpenedYaml) => Promise<T>,
): Promise<T> {
  const rpc = load('vscode-jsonrpc/node') as JsonRpc;
  const server = spawn(
    process.execPath,
    [load.resolve('yaml-language-server/bin/yaml-language-server'), '--stdio'],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  const uri = pathToFileURL(path).href;
  // An editor in which nothing was set.
  connection.onRequest('workspace/configuration', ({ items = [] }) => items.map(() => null));
  connection.onRequest('client/registerCapability', () => null);
  const faults = new Promise<readonly string[]>((resolve) => {
    connection.onNotification('textDocument/publishDiagnostics', (published) => {
      if (published.uri === uri) resolve(published.diagnostics.map(({ message }) => message));
    });
  });
  connection.listen();
  try {
    await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification('initialized', {});
    // Without a list of schemas from the internet.
    const settings = { yaml: { schemaStore: { enable: false }, validate: true, completion: true } };
    await connection.sendNotification('workspace/didChangeConfiguration', { settings });
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    await connection.sendNotification('textDocument/didOpen', { textDocument });
    return await ask({
      faults,
      complete: (line, character) => completionAt(connection, uri, line, character),
    });
  } finally {
    connection.dispose();
    server.kill();
    await once(server, 'exit');
  }
}

async function completionAt(connection: Connection, uri: string, line: number, character: number) {
  const answer = (await connection.sendRequest('textDocument/completion', {
    textDocument: { uri },
    position: { line, character },
  })) as { readonly items: readonly { readonly label: string }[] };
  return answer.items.map(({ label }) => label);
}
