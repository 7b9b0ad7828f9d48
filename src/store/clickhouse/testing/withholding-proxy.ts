/**
 * A proxy between a server and ClickHouse that withholds the answer to an insert: the rows are written, but the client
 * does not learn it.
 */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type WithholdingProxy = {
  readonly port: number;
  /** Resolves when the answer was withheld: the insert is done. */
  readonly withheld: Promise<void>;
  readonly close: () => Promise<void>;
};

/** The first insert into the table is the one; `cut` ends its connection, otherwise it stays open without an answer. */
export async function startWithholdingProxy(
  target: number,
  table: string,
  { cut }: { readonly cut: boolean },
): Promise<WithholdingProxy> {
  const { promise: withheld, resolve } = Promise.withResolvers<void>();
  let isArmed = true;
  const server = createServer((incoming, outgoing) => {
    const isInsert = decodeURIComponent(incoming.url ?? '').includes(`INSERT+INTO+${table}+`);
    const { url, method, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: target, path: url, method, headers }, (answer) => {
      if (isArmed && isInsert) {
        isArmed = false;
        answer.resume().once('end', () => {
          if (cut) incoming.socket.destroy();
          resolve();
        });
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, withheld, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
