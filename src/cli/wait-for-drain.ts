import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Resolves when what was written is on its way: a slow reader must not make us keep all of it. A file takes everything at
 * once and never asks anybody to wait, but what was written is let go only when others get their turn.
 */
export function waitForDrain(stream: Writable): Promise<void> {
  if (!stream.writableNeedDrain) return nextTurn();
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
