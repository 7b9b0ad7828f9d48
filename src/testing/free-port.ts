import { once } from 'node:events';
import { createServer } from 'node:net';

const given = new Set<number>();

/** A port that was not returned before: its owner may not listen yet. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    server.close();
    await once(server, 'close');
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    if (!given.has(port)) {
      given.add(port);
      return port;
    }
  }
}
