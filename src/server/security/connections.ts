import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerLimits } from './limits.ts';

/** Time to read why. */
const LINGER_MS = 200;
const UNREAD_CHECK_MS = 1_000;

/**
 * Bounds what connections cost. One connection too many closes the one that has been idle longest. A client that sends
 * many requests without waiting for answers is disconnected, and so are those who leave most bytes unread once all
 * clients together leave too many.
 */
export function guardConnections(
  server: Server,
  { connections, pipelined, unreadBytes }: Pick<ServerLimits, 'connections' | 'pipelined' | 'unreadBytes'>,
): void {
  const idle = new Set<Socket>();
  const busy = new Map<Socket, Set<ServerResponse>>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    idle.add(socket);
    socket.once('close', () => {
      open -= 1;
      idle.delete(socket);
      busy.delete(socket);
    });
    if (open <= connections) return;
    const [longest] = idle;
    (longest ?? socket).destroy();
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    idle.delete(socket);
    const waiting = busy.get(socket) ?? new Set();
    busy.set(socket, waiting.add(response));
    if (waiting.size > pipelined) return void socket.destroy();
    response.once('close', () => {
      waiting.delete(response);
      if (waiting.size === 0) busy.delete(socket);
      if (!socket.destroyed && waiting.size === 0) idle.add(socket);
      // Whoever was answered before they had sent everything may have no end of it; who has may ask for more.
      if (!request.complete) setTimeout(() => request.complete || socket.destroy(), LINGER_MS).unref();
    });
  });
  const check = setInterval(() => closeUnread(busy, unreadBytes), UNREAD_CHECK_MS);
  check.unref();
  server.once('close', () => clearInterval(check));
}

function closeUnread(busy: ReadonlyMap<Socket, ReadonlySet<ServerResponse>>, most: number): void {
  const unread = [...busy].map(([socket, responses]) => {
    let bytes = socket.writableLength;
    // Answers behind the first one have no socket yet.
    for (const response of responses) if (response.socket === null) bytes += response.writableLength;
    return { socket, bytes };
  });
  let sum = unread.reduce((total, { bytes }) => total + bytes, 0);
  for (const { socket, bytes } of unread.sort((a, b) => b.bytes - a.bytes)) {
    if (sum <= most) return;
    socket.destroy();
    sum -= bytes;
  }
}
