import { setImmediate } from 'node:timers/promises';
import { AssayError } from '../errors.ts';

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new AssayError('STOPPED', 'reading and scoring sessions was stopped', {
    remedy: 'Run it again: files already read are cached.',
  });
}

/** Yields to the event loop, and throws when aborted. */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  stopIfAborted(signal);
}

/** Stops waiting on abort: standard input may never end. */
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

/** Long work that can be aborted wherever it yields. */
export type Steps<Result> = Generator<void, Result, void>;

export async function runSteps<Result>(
  steps: Steps<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await yieldToEventLoop(signal);
  }
}
