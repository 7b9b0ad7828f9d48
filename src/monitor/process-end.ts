/** What is to be done before the process is gone, without changing how it ends. */
export type EndHandlers = {
  /** Nothing is left to do: there is time. */
  readonly idle: () => Promise<void>;
  /** It ends now; only what is synchronous still happens. */
  readonly now: () => void;
};

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const all = new Set<EndHandlers>();

/** Gives what takes it back. */
export function onProcessEnd(things: EndHandlers): () => void {
  if (all.size === 0) listen();
  all.add(things);
  return () => {
    all.delete(things);
    if (all.size === 0) stopListening();
  };
}

function listen(): void {
  process.on('beforeExit', whenIdle);
  process.on('exit', endNow);
  for (const signal of SIGNALS) process.on(signal, bySignal);
}

function stopListening(): void {
  process.off('beforeExit', whenIdle);
  process.off('exit', endNow);
  for (const signal of SIGNALS) process.off(signal, bySignal);
}

const done = new WeakSet<EndHandlers>();

/** What is awaited here keeps the process alive, and the event comes again when it is done. */
function whenIdle(): void {
  for (const things of all) {
    if (done.has(things)) continue;
    done.add(things);
    void things.idle();
  }
}

function endNow(): void {
  for (const { now } of all) now();
}

/** With a listener of ours the process does not die of it; where nobody else listens, it should. */
function bySignal(signal: NodeJS.Signals): void {
  endNow();
  process.off(signal, bySignal);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
