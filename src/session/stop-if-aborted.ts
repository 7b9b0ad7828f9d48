import { setImmediate } from 'node:timers/promises';
import { AssayError } from '../errors.ts';

/** Nobody has to wait for what nobody wants any more. */
export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new AssayError('STOPPED', 'reading and scoring sessions was stopped', {
    remedy: 'Ask again; files that were read are remembered.',
  });
}

/** Others get their turn, among them whoever wants it stopped. */
export async function takeTurns(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  stopIfAborted(signal);
}

/** What is waited for, unless it is stopped before: standard input may never end. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => {
      try {
        stopIfAborted(signal);
      } catch (error) {
        reject(error);
      }
    };
    stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
