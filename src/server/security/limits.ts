/** How much one client may ask for. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AssayError } from '../../errors.ts';

export type ServerLimits = {
  readonly headerBytes: number;
  readonly bodyBytes: number;
  readonly headersMs: number;
  readonly requestMs: number;
  readonly connections: number;
  /** Requests of one connection that wait for their answers at the same time. */
  readonly pipelined: number;
  /** A connection on which nothing moves for so long is closed. */
  readonly idleMs: number;
  /** Bytes of answers that all clients together have not read yet. */
  readonly unreadBytes: number;
  readonly streams: number;
  /** Sustained requests per second of one client, and its burst. */
  readonly rate: { readonly perSecond: number; readonly burst: number };
  /** How long a stop waits for answers that are on their way. */
  readonly graceMs: number;
};

export const LIMITS: ServerLimits = {
  headerBytes: 16 * 1024,
  bodyBytes: 1024 * 1024,
  headersMs: 10_000,
  requestMs: 60_000,
  connections: 2_000,
  pipelined: 16,
  idleMs: 60_000,
  unreadBytes: 128 * 1024 * 1024,
  streams: 500,
  rate: { perSecond: 200, burst: 1_000 },
  graceMs: 10_000,
};

/** All programs of this machine are one client. */
export const LOCAL_RATE: ServerLimits['rate'] = { perSecond: 5_000, burst: 10_000 };

/** Counts a request of a client; throws where there have been too many. */
export type TakeRequest = (client: string) => void;

/** Above this number of clients, the one idle for longest is dropped. */
const MAX_CLIENTS = 10_000;

/** A bucket for each client, filled at a steady rate. `now`: milliseconds of a clock that is never set back. */
export function limitRate({ perSecond, burst }: ServerLimits['rate'], now: () => number): TakeRequest {
  const buckets = new Map<string, { left: number; at: number }>();
  return (client) => {
    const at = now();
    const known = buckets.get(client);
    const left =
      known === undefined ? burst : Math.min(burst, known.left + ((at - known.at) / 1000) * perSecond);
    if (left < 1)
      throw new AssayError('TOO_MANY_REQUESTS', `a client may send ${perSecond} requests a second`);
    // Taken out and put back: the first of the map is the one that was idle longest.
    buckets.delete(client);
    buckets.set(client, { left: left - 1, at });
    if (buckets.size > MAX_CLIENTS) for (const first of buckets.keys()) return void buckets.delete(first);
  };
}

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
      // A client that was answered early may send for ever, so its connection is closed; others may send the next
      // request.
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
