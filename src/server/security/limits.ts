/** How much one client may ask for. */
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
  /** Requests a second that one client may keep up, and how many it may send at once. */
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
