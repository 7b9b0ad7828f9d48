import { setTimeout as sleep } from 'node:timers/promises';

/** A wait doubles from the first one up to this. */
const MAX_BACKOFF_MS = 60_000;

/** A server that asks for more than this is not waited for. */
export const MAX_RETRY_AFTER_MS = 5 * 60_000;

/**
 * Exponential with equal jitter (half of it is random), so that calls that failed together do not retry together; never
 * sooner than the server asks.
 */
export function backoffMs(
  attempt: number,
  firstMs: number,
  retryAfterMs: number = 0,
  random: number = Math.random(),
): number {
  const full = Math.min(MAX_BACKOFF_MS, firstMs * 2 ** (attempt - 1));
  return Math.max(retryAfterMs + (random * Math.min(full, retryAfterMs)) / 2, full * (0.5 + random / 2));
}

/**
 * When a server asks one call to wait, the others of the same run would only be refused too: all wait for the same
 * moment.
 */
export type Pause = {
  readonly hold: (forMs: number) => void;
  readonly wait: (signal: AbortSignal) => Promise<void>;
};

export function openPause(): Pause {
  let until = 0;
  return {
    hold: (forMs) => {
      until = Math.max(until, performance.now() + forMs);
    },
    wait: async (signal) => {
      for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
        await sleep(left, undefined, { signal });
      }
    },
  };
}
