import type { Writable } from 'node:stream';

/** Resolves when what was written is on its way: a slow reader must not make us keep all of it. */
export function waitForDrain(stream: Writable): Promise<void> {
  if (!stream.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    // A reader that has gone away takes nothing any more, and nobody waits for it.
    const events = ['drain', 'close', 'error'];
    const done = (): void => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
}
