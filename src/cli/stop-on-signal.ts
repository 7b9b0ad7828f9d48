export type Stopping = { readonly signal: AbortSignal; readonly stop: () => void; readonly end: () => void };

/** Ctrl-C ends calls and programs, and a second one Assay itself. */
export function stopOnSignal(): Stopping {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.once(name, stop);
  return {
    signal: controller.signal,
    stop,
    end: () => {
      for (const name of signals) process.off(name, stop);
      // Open standard input would keep the process alive.
      if (controller.signal.aborted) process.stdin.destroy();
    },
  };
}

/** At once where it was already aborted: a signal may come while a server is still starting. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

const PARENT_CHECK_MS = 500;

/** npm runs a shell that does not pass signals on. When that shell ends, so does the server. */
export function stopWithParent({ stop, signal }: Stopping): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_CHECK_MS);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
