import { type Stopping, stopOnSignal } from '../stop-on-signal.ts';

/** A reader of the results that has gone ends the work as Ctrl-C does. */
export function stopWithReader(): Stopping {
  const stopping = stopOnSignal();
  process.stdout.once('error', stopping.stop);
  return {
    ...stopping,
    end: () => {
      stopping.end();
      process.stdout.off('error', stopping.stop);
      // Input that nobody reads any more must not keep the process.
      process.stdin.unref?.();
      if (stopping.signal.aborted) process.stdin.destroy();
    },
  };
}
