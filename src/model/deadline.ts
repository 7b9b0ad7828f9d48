/** Runs something with a signal that also fires after a time, and leaves nothing behind on the long-lived one. */
export async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal,
  run: (either: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  const timer = setTimeout(
    () => controller.abort(new DOMException('the time is over', 'TimeoutError')),
    timeoutMs,
  );
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
