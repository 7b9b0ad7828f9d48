/** The server of `bench/server.ts` and `bench/dashboard.ts`, and a bare one that answers with the same bytes, in a process of their own. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { loadConfig } from '../src/config.ts';
import { defaultPorts } from '../src/operations/default-ports.ts';
import { openServer } from '../src/server/open-server.ts';
import { END } from './store-sessions.ts';

const folder = tmpdir();
const [store = '', web = folder] = process.argv.slice(2);
// The sessions end then; time goes on from there.
const started = Date.now();
const now = () => new Date(END + Date.now() - started);
const ports = defaultPorts({ store, folder, now, storeWaitMs: 500 });
const { pageAt, stop } = await openServer({
  host: '127.0.0.1',
  port: 0,
  web,
  log: { choice: 'errors', write: (line) => void process.stderr.write(line) },
  folder,
  machine: { home: `${store}.home`, environment: { HOME: `${store}.home` } },
  config: (await loadConfig(folder)).config,
  sessions: ports,
  project: ports,
  limits: { rate: { perSecond: 1e9, burst: 1e9 } },
});

/** Answers with the last body it received. */
let body: Buffer = Buffer.from('{}');
const bare = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    body = Buffer.concat(chunks);
    response.writeHead(204).end();
  });
});
bare.listen(0, '127.0.0.1', () => {
  const { port } = bare.address() as AddressInfo;
  process.send?.({ url: pageAt(), bare: `http://127.0.0.1:${port}/` });
});

/** A write that no page shows: it invalidates cached answers. */
async function forget(): Promise<void> {
  const feedback = { instrument: 'bench', outputId: 'none', thumb: 'up' as const, author: 'bench' };
  const at = new Date(started).toISOString();
  await (await ports.store()).appendFeedback([{ feedbackId: randomUUID(), at, ...feedback }]);
}

process.on('message', async (message) => {
  if (message === 'forget') await forget();
  if (message === 'stop') {
    bare.close();
    bare.closeAllConnections();
    await stop();
    process.disconnect();
  } else {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() });
  }
});
