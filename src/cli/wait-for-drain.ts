import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Resolves when the stream accepts more, so that a slow reader does not fill memory. A file accepts everything at once,
 * but its buffers are freed only when the event loop runs.
 */
export function waitForDrain(stream: Writable): Promise<void> {
  if (!stream.writableNeedDrain) return nextTurn();
  return new Promise((resolve) => {
    // A closed reader accepts nothing any more, so waiting ends.
    const events = ['drain', 'close', 'error'];
    const done = (): void => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
}
