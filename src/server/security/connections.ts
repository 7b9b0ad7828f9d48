import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Time to read why. */
const LINGER_MS = 200;

/**
 * So many connections at once. One more makes room by ending the one that has been open longest without asking for
 * anything: whoever opens thousands and says nothing keeps nobody out.
 */
export function guardConnections(server: Server, most: number): void {
  const idle = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    idle.add(socket);
    socket.once('close', () => {
      open -= 1;
      idle.delete(socket);
    });
    if (open <= most) return;
    const [longest] = idle;
    (longest ?? socket).destroy();
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
      // Whoever was answered before they had sent everything may have no end of it; who has may ask for more.
      if (!request.complete) setTimeout(() => request.complete || socket.destroy(), LINGER_MS).unref();
    });
  });
}
